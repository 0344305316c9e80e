// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.jdbc.WritableTransaction;
import java.sql.Connection;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;

/** The DataSource whose database holds the tables: the annotated one, otherwise the only or primary one. */
record ChosenDataSource(DataSource dataSource) {

    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", ChosenDataSource.class.getClassLoader());

    static ChosenDataSource of(ObjectProvider<DataSource> all, ObjectProvider<DataSource> marked) {
        DataSource chosen = marked.getIfUnique();
        if (chosen == null) {
            chosen = all.getIfUnique();
        }
        return new ChosenDataSource(chosen == null ? new Undecided() : chosen);
    }

    /** Fails on use, so that an application that never uses it can start. */
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

    /**
     * Returns the application's transaction manager of this DataSource: the default for {@code @Transactional},
     * otherwise the first. Creates one if there is none.
     */
    PlatformTransactionManager transactions(ObjectProvider<PlatformTransactionManager> all) {
        return Stream.concat(Stream.ofNullable(all.getIfUnique()), all.orderedStream())
                .filter(this::isOf)
                .findFirst()
                .orElseGet(() -> new JdbcTransactionManager(dataSource));
    }

    private boolean isOf(PlatformTransactionManager manager) {
        DataSource its = null;
        if (manager instanceof DataSourceTransactionManager jdbc) {
            its = jdbc.getDataSource();
        } else if (JPA) {
            its = Jpa.dataSource(manager);
        }
        return its != null && WritableTransaction.boundAs(its).equals(WritableTransaction.boundAs(dataSource));
    }

    /** Loaded only if JPA is on the class path. */
    private static final class Jpa {

        private Jpa() {}

        static @Nullable DataSource dataSource(PlatformTransactionManager manager) {
            return (manager instanceof JpaTransactionManager jpa) ? jpa.getDataSource() : null;
        }
    }
}
