// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** The differences between databases: programs, arguments, and checks whether a server is up. */
interface DatabaseProduct {

    String USER = "delayqueue";
    String PASSWORD = "delayqueue";

    /** Returns the name for messages. */
    String name();

    /** Returns the scheme of addresses, including JDBC's. */
    String scheme();

    String programsVariable();

    /** Returns the folders where packages install the programs, the newest first. The PATH follows them. */
    List<Path> folders();

    String serverProgram();

    String initializerProgram();

    /** Returns how to install it. */
    String advice();

    /** Returns the user that its Debian package creates. */
    String systemUser();

    /** Returns the signal for an orderly shutdown without waiting for clients. */
    String stopSignal();

    /** Returns the command that fills an empty folder with the data of a new server. */
    List<String> initialize(Path program, Path data);

    /** Called once, before the first start, with the folder above the data. */
    default void prepare(ServerFolder folder) {}

    /** Returns the command that runs the server in the foreground. */
    List<String> serve(Path program, ServerFolder folder, Path data, int port);

    /** Returns a setting as arguments for {@link #serve}. */
    List<String> setting(String setting);

    /** Returns the settings that leave the flush of commits to the operating system. */
    List<String> unflushed();

    /** Returns whether the server accepts clients now. Needs no driver. */
    boolean answers(String host, int port);

    /** Returns the database to connect to before another is created. */
    String firstDatabase();

    List<String> recreate(String database);

    default String jdbcUrl(String host, int port, String database) {
        return "jdbc:" + scheme() + "://" + host + ":" + port + "/" + database;
    }

    default URI uri(String host, int port) {
        return URI.create(scheme() + "://" + USER + ":" + PASSWORD + "@" + host + ":" + port);
    }
}
