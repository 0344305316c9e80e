// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.PoolerServer;
import io.delayqueue.test.server.TestDatabase;

/** A PgBouncer, and an application's pool of connections to it. */
final class Pooler implements AutoCloseable {

    static final int SESSIONS = 12;

    private final PoolerServer server;
    private final HikariDataSource pool;

    Pooler(DatabaseServer inFrontOf, TestDatabase database) {
        server = PoolerServer.inFrontOf(inFrontOf, SESSIONS);
        pool = pool(database);
    }

    HikariDataSource pool() {
        return pool;
    }

    /** Another one, to another database. */
    HikariDataSource pool(TestDatabase database) {
        TestDatabase through = server.through(database);
        HikariDataSource other = new HikariDataSource();
        other.setJdbcUrl(through.jdbcUrl() + "?prepareThreshold=0");
        other.setUsername(through.user());
        other.setPassword(through.password());
        other.setMaximumPoolSize(2 * SESSIONS);
        return other;
    }

    @Override
    public void close() {
        pool.close();
        server.close();
    }
}
