// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Through a PgBouncer that pools by transaction: a connection of the application may have another session of the server
 * in each transaction.
 */
@Tag("long")
@DelayQueueServers(database = DelayQueueServers.Database.POSTGRES)
class PgBouncerOutboxIntegrationTests extends OutboxContract {

    private static Pooler pooler;

    @BeforeAll
    static void connect(DatabaseServer server, TestDatabase database) {
        pooler = new Pooler(server, database);
    }

    @AfterAll
    static void disconnect() {
        pooler.close();
    }

    @Override
    DataSource dataSource() {
        return pooler.pool();
    }
}
