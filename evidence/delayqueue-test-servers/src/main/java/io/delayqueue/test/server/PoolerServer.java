// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

/**
 * A PgBouncer between applications and a PostgreSQL, under the control of a test. It pools by transaction: two
 * transactions of one connection may have two sessions of the server, and a session serves whoever comes next.
 *
 * <p>PostgreSQL's JDBC driver needs {@code prepareThreshold=0} here, unless the PgBouncer is at least 1.21 and its
 * {@code max_prepared_statements} is set: what was prepared in one session is not known in another one.
 *
 * <p>It refuses to run as root. Under root it runs as the user of PostgreSQL's Debian package, or as {@code nobody}.
 */
public interface PoolerServer extends TestServer {

    /** The environment variable that names the program, if it is not on the path. */
    String PROGRAM_VARIABLE = "DELAYQUEUE_TEST_PGBOUNCER";

    /**
     * Starts one in front of a server that is up.
     *
     * @param sessions with the server for each database, which all clients share
     * @throws TestServerException if there is no PgBouncer on this machine; the message tells how to get one
     */
    static PoolerServer inFrontOf(DatabaseServer server, int sessions) {
        PgBouncer pooler = new PgBouncer(server, sessions);
        try {
            pooler.start();
            return pooler;
        } catch (RuntimeException e) {
            pooler.close();
            throw e;
        }
    }

    /** A database of the server as it is seen through this. */
    TestDatabase through(TestDatabase database);
}
