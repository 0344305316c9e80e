// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import static java.util.Objects.requireNonNull;

import io.delayqueue.test.server.TestDatabase;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The contract on a real server. */
abstract class ServerInboxContract extends InboxContract {

    private static @Nullable DataSource dataSource;

    @BeforeAll
    static void connect(TestDatabase database) {
        dataSource = new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
        createTables(dataSource, database.jdbcUrl().contains("postgresql") ? "postgresql" : "mysql");
    }

    @AfterAll
    static void forget() {
        dataSource = null;
    }

    @Override
    final DataSource dataSource() {
        return requireNonNull(dataSource);
    }
}
