// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;

/** MariaDB, with a user that may connect from this machine and has all permissions. */
class MariaDbProduct implements DatabaseProduct {

    private static final String INIT_FILE = "init.sql";
    private static final int PACKET_HEADER = 4;
    private static final int PROTOCOL = 10;
    private static final int TIMEOUT_MILLIS = 2000;

    @Override
    public String name() {
        return "MariaDB";
    }

    @Override
    public String scheme() {
        return "mariadb";
    }

    @Override
    public String programsVariable() {
        return DatabaseServer.MARIADB_PROGRAMS_VARIABLE;
    }

    @Override
    public List<Path> folders() {
        return List.of(Path.of("/usr/sbin"), Path.of("/usr/bin"), Path.of("/opt/homebrew/opt/mariadb/bin"));
    }

    @Override
    public String serverProgram() {
        return "mariadbd";
    }

    @Override
    public String initializerProgram() {
        return "mariadb-install-db";
    }

    @Override
    public String advice() {
        return "Debian and Ubuntu: apt-get install mariadb-server; macOS: brew install mariadb";
    }

    @Override
    public String systemUser() {
        return "mysql";
    }

    @Override
    public String stopSignal() {
        return "TERM";
    }

    /** Gives each server a folder for temporary tables, because a server deletes those of others when it starts. */
    @Override
    public List<String> initialize(Path program, Path data) {
        return List.of(
                program.toString(),
                "--no-defaults",
                "--datadir=" + data,
                "--tmpdir=" + data.getParent(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
    }

    @Override
    public void prepare(ServerFolder folder) {
        String user = "'" + USER + "'@'127.0.0.1'";
        folder.write(
                INIT_FILE,
                List.of(
                        "CREATE USER IF NOT EXISTS " + user + " IDENTIFIED BY '" + PASSWORD + "';",
                        "GRANT ALL PRIVILEGES ON *.* TO " + user + ";"));
    }

    @Override
    public List<String> serve(Path program, ServerFolder folder, Path data, int port) {
        return List.of(
                program.toString(),
                "--no-defaults",
                "--datadir=" + data,
                "--tmpdir=" + data.getParent(),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=server.sock",
                "--pid-file=server.pid",
                "--skip-name-resolve",
                "--character-set-server=utf8mb4",
                "--max-connections=200",
                "--init-file=" + folder.resolve(INIT_FILE));
    }

    @Override
    public List<String> setting(String setting) {
        return List.of("--" + setting);
    }

    @Override
    public List<String> unflushed() {
        return List.of("innodb-flush-log-at-trx-commit=2");
    }

    /** Reads the greeting, which the server sends when it accepts clients. */
    @Override
    public boolean answers(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            byte[] greeting = socket.getInputStream().readNBytes(PACKET_HEADER + 1);
            return greeting.length > PACKET_HEADER && greeting[PACKET_HEADER] == PROTOCOL;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String firstDatabase() {
        return "mysql";
    }

    @Override
    public List<String> recreate(String database) {
        return List.of("DROP DATABASE IF EXISTS " + database, "CREATE DATABASE " + database);
    }
}
