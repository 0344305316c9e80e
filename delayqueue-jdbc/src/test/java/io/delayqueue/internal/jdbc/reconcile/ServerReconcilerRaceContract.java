// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import static java.util.Objects.requireNonNull;

import io.delayqueue.test.server.TestDatabase;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The contract on a real server. */
abstract class ServerReconcilerRaceContract extends ReconcilerRaceContract {

    private @Nullable DataSource dataSource;

    @BeforeEach
    void connect(TestDatabase database) {
        dataSource = new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    }

    @Override
    final DataSource dataSource() {
        return requireNonNull(dataSource);
    }
}
