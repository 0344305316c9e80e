// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

/**
 * A real PostgreSQL or MariaDB under the control of a test, with JDBC's driver on the test class path.
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
 * <p>Unless configured otherwise a commit is written and flushed before it is answered, as both servers do by default
 * ({@code fsync = on}, {@code innodb_flush_log_at_trx_commit = 1}). {@link DatabaseServerBuilder#unflushed()} leaves the
 * flush to the operating system, which is quicker: a kill of the server still loses nothing that was answered, the end of
 * the whole machine would.
 *
 * <p>Both servers refuse to run as root. Under root they run as the user of their Debian package, or as {@code nobody}.
 */
public interface DatabaseServer extends TestServer {

    /**
     * The environment variable whose {@code postgresql://user:password@host:port} is used instead of a server of the
     * test's own; that user must be allowed to create databases.
     */
    String POSTGRES_ADDRESS_VARIABLE = "DELAYQUEUE_TEST_POSTGRES_URI";

    /** As {@link #POSTGRES_ADDRESS_VARIABLE}, with {@code mariadb://user:password@host:port}. */
    String MARIADB_ADDRESS_VARIABLE = "DELAYQUEUE_TEST_MARIADB_URI";

    /** The environment variable that names the folder of {@code initdb} and {@code postgres}. */
    String POSTGRES_PROGRAMS_VARIABLE = "DELAYQUEUE_TEST_POSTGRES_PROGRAMS";

    /** The environment variable that names the folder of {@code mariadbd} and {@code mariadb-install-db}. */
    String MARIADB_PROGRAMS_VARIABLE = "DELAYQUEUE_TEST_MARIADB_PROGRAMS";

    /**
     * Creates an empty database; one of that name is dropped before.
     *
     * @param name lower-case letters, digits and underscores, beginning with a letter, at most 60
     */
    TestDatabase createDatabase(String name);

    /** PostgreSQL: at the address in {@value #POSTGRES_ADDRESS_VARIABLE}, else a process of the test's own. */
    static DatabaseServerBuilder postgres() {
        return new DatabaseServerBuilder(new PostgresProduct());
    }

    /** MariaDB: at the address in {@value #MARIADB_ADDRESS_VARIABLE}, else a process of the test's own. */
    static DatabaseServerBuilder mariaDb() {
        return new DatabaseServerBuilder(new MariaDbProduct());
    }
}
