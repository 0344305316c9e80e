// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The contract in H2, in memory. */
class H2ReconcilerRaceIntegrationTests extends ReconcilerRaceContract {

    private static final DataSource DATA_SOURCE = new DriverManagerDataSource("jdbc:h2:mem:races;DB_CLOSE_DELAY=-1");

    @Override
    DataSource dataSource() {
        return DATA_SOURCE;
    }
}
