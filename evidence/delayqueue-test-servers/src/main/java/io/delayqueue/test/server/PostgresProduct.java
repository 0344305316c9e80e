// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** PostgreSQL as its project builds it, and as Debian packages it, with a folder per major version. */
final class PostgresProduct implements DatabaseProduct {

    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final int PROTOCOL = 3 << 16;
    private static final int TIMEOUT_MILLIS = 2000;

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public String scheme() {
        return "postgresql";
    }

    @Override
    public String programsVariable() {
        return DatabaseServer.POSTGRES_PROGRAMS_VARIABLE;
    }

    @Override
    public List<Path> folders() {
        if (!Files.isDirectory(DEBIAN)) {
            return List.of();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.filter(version -> version.getFileName().toString().matches("\\d+"))
                    .sorted(Comparator.comparing((Path version) ->
                                    Integer.valueOf(version.getFileName().toString()))
                            .reversed())
                    .map(version -> version.resolve("bin"))
                    .toList();
        } catch (IOException e) {
            throw new TestServerException("Cannot list " + DEBIAN, e);
        }
    }

    @Override
    public String serverProgram() {
        return "postgres";
    }

    @Override
    public String initializerProgram() {
        return "initdb";
    }

    @Override
    public String advice() {
        return "Debian and Ubuntu: apt-get install postgresql; macOS: brew install postgresql";
    }

    @Override
    public String systemUser() {
        return "postgres";
    }

    @Override
    public String stopSignal() {
        return "INT";
    }

    @Override
    public List<String> initialize(Path program, Path data) {
        return List.of(
                program.toString(),
                "--pgdata=" + data,
                "--username=" + USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync");
    }

    @Override
    public List<String> serve(Path program, ServerFolder folder, Path data, int port) {
        return List.of(
                program.toString(),
                "-D",
                data.toString(),
                "-p",
                "" + port,
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=200");
    }

    @Override
    public List<String> setting(String setting) {
        return List.of("-c", setting);
    }

    @Override
    public List<String> unflushed() {
        return List.of("fsync=off");
    }

    /**
     * Sends a login. A server that is starting or stopping replies with an error, a running server with an
     * authentication request ('R').
     */
    @Override
    public boolean answers(String host, int port) {
        byte[] parameters =
                ("user\0" + USER + "\0database\0" + firstDatabase() + "\0\0").getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(2 * Integer.BYTES + parameters.length);
            out.writeInt(PROTOCOL);
            out.write(parameters);
            out.flush();
            return socket.getInputStream().read() == 'R';
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String firstDatabase() {
        return "postgres";
    }

    @Override
    public List<String> recreate(String database) {
        return List.of("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)", "CREATE DATABASE " + database);
    }
}
