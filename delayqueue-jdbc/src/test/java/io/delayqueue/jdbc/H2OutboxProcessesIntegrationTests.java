// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.test.junit.DelayQueueServers;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@DelayQueueServers
class H2OutboxProcessesIntegrationTests extends OutboxProcessesContract {

    private static final DataSource DATABASE =
            new DriverManagerDataSource("jdbc:h2:mem:outbox-processes;DB_CLOSE_DELAY=-1", "sa", "");

    @Override
    DataSource dataSource() {
        return DATABASE;
    }
}
