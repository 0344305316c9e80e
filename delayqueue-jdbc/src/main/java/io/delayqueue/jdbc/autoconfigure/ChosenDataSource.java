// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** The DataSource whose database contains the tables: the annotated bean, otherwise the only or primary one. */
record ChosenDataSource(DataSource dataSource) {

    static ChosenDataSource of(ObjectProvider<DataSource> all, ObjectProvider<DataSource> marked) {
        DataSource chosen = marked.getIfUnique();
        if (chosen == null) {
            chosen = all.getIfUnique();
        }
        return new ChosenDataSource(chosen == null ? new Undecided() : chosen);
    }

    /** A DataSource that fails on use, so that an application that never uses it can start. */
    private static final class Undecided extends AbstractDataSource {

        @Override
        public Connection getConnection() {
            throw new InvalidDelayQueueSetupException(
                    "There are several DataSource beans, and none is selected for the tables of the " + "delay queues.",
                    "Annotate one of them with @DelayQueueDataSource, or set delayqueue.jdbc.enabled to false.");
        }

        @Override
        public Connection getConnection(String user, String password) {
            return getConnection();
        }
    }
}
