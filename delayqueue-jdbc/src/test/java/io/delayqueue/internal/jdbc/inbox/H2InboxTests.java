// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The contract in H2, in memory. */
class H2InboxTests extends InboxContract {

    private static final DataSource DATA_SOURCE = new DriverManagerDataSource("jdbc:h2:mem:inbox;DB_CLOSE_DELAY=-1");

    @BeforeAll
    static void createTables() {
        createTables(DATA_SOURCE, "h2");
    }

    @Override
    DataSource dataSource() {
        return DATA_SOURCE;
    }
}
