// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** What differs between the databases: where their programs are, with which arguments they run, who answers. */
interface DatabaseProduct {

    String USER = "delayqueue";
    String PASSWORD = "delayqueue";

    /** As people write it. */
    String name();

    /** As the scheme of an address and of JDBC's. */
    String scheme();

    String programsVariable();

    /** Folders in which packages put the programs, the newest first; the PATH comes after them. */
    List<Path> folders();

    String serverProgram();

    String initializerProgram();

    /** How to install it. */
    String advice();

    /** The user that its Debian package creates. */
    String systemUser();

    /** The signal upon which it ends in good order without waiting for its clients. */
    String stopSignal();

    /** The command that fills an empty folder with the data of a new server. */
    List<String> initialize(Path program, Path data);

    /** Called once, before the first start, with the folder above the data. */
    default void prepare(ServerFolder folder) {}

    /** The command that serves the data until it is ended. */
    List<String> serve(Path program, ServerFolder folder, Path data, int port);

    /** One setting as arguments of {@link #serve}. */
    List<String> setting(String setting);

    /** Settings by which a commit is answered once it is the operating system's. */
    List<String> unflushed();

    /** Whether the server takes clients now, found out without a driver. */
    boolean answers(String host, int port);

    /** The database to connect to before there is another. */
    String firstDatabase();

    List<String> recreate(String database);

    default String jdbcUrl(String host, int port, String database) {
        return "jdbc:" + scheme() + "://" + host + ":" + port + "/" + database;
    }

    default URI uri(String host, int port) {
        return URI.create(scheme() + "://" + USER + ":" + PASSWORD + "@" + host + ":" + port);
    }
}
