// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A real PostgreSQL or MariaDB that a test controls. Needs the JDBC driver on the test class path.
 *
 * <pre>{@code
 * try (DatabaseServer server = DatabaseServer.postgres().start()) {
 *     DataSource orders = dataSourceOf(server.createDatabase("orders").jdbcUrl());
 *     ...
 *     server.kill();
 *     server.start(); // same port, same data
 * }
 * }</pre>
 *
 * <p>By default a commit is written and flushed before the server answers, as is usual for both servers ({@code fsync =
 * on}, {@code innodb_flush_log_at_trx_commit = 1}). {@link DatabaseServerBuilder#unflushed()} leaves the flush to the
 * operating system, which is faster. Killing the server still loses no acknowledged commit, but a crash of the machine
 * may.
 *
 * <p>Both servers refuse to run as root. Under root they run as the user of their Debian package, or as {@code nobody}.
 */
public final class DatabaseServer extends TestServer {

    /** The environment variable that names the folder of {@code initdb} and {@code postgres}. */
    public static final String POSTGRES_PROGRAMS_VARIABLE = "DELAYQUEUE_TEST_POSTGRES_PROGRAMS";

    /**
     * The environment variable that names the folder of {@code mariadbd} and {@code mariadb-install-db}, or of {@code
     * mysqld}, which then takes the place of MariaDB.
     */
    public static final String MARIADB_PROGRAMS_VARIABLE = "DELAYQUEUE_TEST_MARIADB_PROGRAMS";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,59}");

    private final DatabasePrograms programs;
    private final DatabaseProduct product;
    private final List<String> settings;

    DatabaseServer(DatabasePrograms programs, ServerFolder folder, int port, List<String> settings) {
        super(folder, port);
        this.programs = programs;
        this.product = programs.product();
        this.settings = List.copyOf(settings);
    }

    /** Returns a builder for an installed PostgreSQL. */
    public static DatabaseServerBuilder postgres() {
        return new DatabaseServerBuilder(new PostgresProduct());
    }

    /** Returns a builder for an installed MariaDB, or for MySQL if {@link #MARIADB_PROGRAMS_VARIABLE} names one. */
    public static DatabaseServerBuilder mariaDb() {
        boolean mySql = Executable.named(MARIADB_PROGRAMS_VARIABLE)
                .map(folder -> Files.exists(folder.resolve(MySqlProduct.PROGRAM)))
                .orElse(false);
        return new DatabaseServerBuilder(mySql ? new MySqlProduct() : new MariaDbProduct());
    }

    @Override
    ServerProcess launch() {
        Path data = folder().resolve("data");
        if (!Files.exists(data)) {
            programs.initialize(folder(), data);
        }
        List<String> command = programs.serve(folder(), data, port(), settings);
        return ServerProcess.start(command, Map.of(), folder(), folder().log());
    }

    @Override
    boolean answers() {
        return product.answers(host(), port());
    }

    @Override
    String stopSignal() {
        return product.stopSignal();
    }

    @Override
    public URI uri() {
        return product.uri(host(), port());
    }

    /**
     * Creates an empty database. Drops an existing one with this name first.
     *
     * @param name lower-case letters, digits and underscores, beginning with a letter, at most 60
     */
    public TestDatabase createDatabase(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Not the name of a database: " + name);
        }
        try (Connection connection = database(product.firstDatabase()).connect();
                Statement statement = connection.createStatement()) {
            for (String command : product.recreate(name)) {
                statement.execute(command);
            }
        } catch (SQLException e) {
            throw new TestServerException(
                    "Cannot create the database " + name + " on the " + description() + ": " + e.getMessage()
                            + ". Its JDBC driver must be on the test class path.",
                    e);
        }
        return database(name);
    }

    private TestDatabase database(String name) {
        return new TestDatabase(product.jdbcUrl(host(), port(), name), DatabaseProduct.USER, DatabaseProduct.PASSWORD);
    }

    @Override
    public String description() {
        return "installed " + product.name() + " (" + programs.server() + ") on " + host() + ":" + port();
    }
}
