// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.sql.DatabaseMetaData;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** The supported databases and their differences. MySQL includes MariaDB. */
public enum Database {
    POSTGRESQL("(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP()) * 1000)::BIGINT"),

    MYSQL("(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)"),

    H2("CAST(0 AS BIGINT)");

    private final String clock;

    Database(String clock) {
        this.clock = clock;
    }

    /**
     * Returns the database of the DataSource.
     *
     * @throws InvalidDelayQueueSetupException if it is not supported
     * @throws org.springframework.dao.DataAccessException if the database cannot be reached
     */
    public static Database of(DataSource dataSource) {
        DatabaseDriver driver = driver(dataSource);
        return of(driver)
                .orElseThrow(() -> new InvalidDelayQueueSetupException(
                        "The outbox and the inbox support PostgreSQL, MariaDB, MySQL and H2, but the "
                                + "DataSource's database is "
                                + driver + ".",
                        "Annotate another DataSource with @DelayQueueDataSource, or set "
                                + "delayqueue.jdbc.enabled to false."));
    }

    static boolean isSupported(DataSource dataSource) {
        return of(driver(dataSource)).isPresent();
    }

    private static Optional<Database> of(DatabaseDriver driver) {
        return switch (driver) {
            case POSTGRESQL -> Optional.of(POSTGRESQL);
            case MARIADB, MYSQL -> Optional.of(MYSQL);
            case H2 -> Optional.of(H2);
            default -> Optional.empty();
        };
    }

    private static DatabaseDriver driver(DataSource dataSource) {
        try {
            String product = JdbcUtils.extractDatabaseMetaData(dataSource, DatabaseMetaData::getDatabaseProductName);
            return DatabaseDriver.fromProductName(JdbcUtils.commonDatabaseName(product));
        } catch (MetaDataAccessException ex) {
            throw new DataAccessResourceFailureException("Could not read the kind of the DataSource's database", ex);
        }
    }

    /** Returns the location of the script that creates the tables. */
    String script() {
        return "io/delayqueue/jdbc/schema-" + name().toLowerCase(Locale.ROOT) + ".sql";
    }

    /**
     * Returns SQL for a time by the clock of the tables, in ms since 1970, with {@link #fromNow} as its argument. This
     * is the database's clock, so that the clocks of the processes do not matter. For H2, it is the process's clock,
     * because H2's clock does not advance within a transaction.
     */
    public String moment() {
        return clock + " + ?";
    }

    /** Returns the argument of {@link #moment} for a time from now. */
    public long fromNow(long millis) {
        return (this == H2) ? System.currentTimeMillis() + millis : millis;
    }

    /** Returns SQL for the current time, without arguments. */
    public String now() {
        return clock + " + " + fromNow(0);
    }
}
