// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@DelayQueueServers(database = DelayQueueServers.Database.MARIADB)
class MariaDbOutboxProcessesIntegrationTests extends OutboxProcessesContract {

    private static DataSource database;

    @BeforeAll
    static void connect(TestDatabase server) {
        database = new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password());
    }

    @Override
    DataSource dataSource() {
        return database;
    }
}
