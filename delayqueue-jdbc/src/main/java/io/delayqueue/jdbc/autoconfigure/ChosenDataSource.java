// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.jdbc.InvalidJdbcSetupException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/** The DataSource whose database keeps the tables: the one that is marked so, or else the only or primary one. */
record ChosenDataSource(DataSource dataSource) {

    static ChosenDataSource of(ObjectProvider<DataSource> all, ObjectProvider<DataSource> marked) {
        DataSource chosen = marked.getIfUnique();
        if (chosen == null) {
            chosen = all.getIfUnique();
        }
        if (chosen == null) {
            throw new InvalidJdbcSetupException(
                    "There are several DataSource beans, and it is not clear which of them keeps the"
                            + " tables of the delay queues. Annotate one of them with @DelayQueueDataSource, or set"
                            + " delayqueue.jdbc.enabled to false");
        }
        return new ChosenDataSource(chosen);
    }
}
