// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.jdbc.UnsupportedDatabaseException;
import java.util.Collection;
import java.util.Set;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.jdbc.support.SqlArrayValue;
import org.springframework.transaction.TransactionDefinition;

/**
 * Where databases differ.
 *
 * <p>The clock of the table is the database's, so that processes whose clocks differ agree when a row may be taken;
 * that of H2 stands still within a transaction, so there it is the process's.
 */
public enum OutboxDialect {
    POSTGRESQL("(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP()) * 1000)::BIGINT"),

    MYSQL("(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)"),

    H2("CAST(0 AS BIGINT)");

    /**
     * Of the outbox's own transactions, whatever the connections of the pool are set to. A stricter one would lock the
     * gaps between rows on MySQL, and end transactions for rows that others have changed on PostgreSQL and H2.
     */
    public static final int ISOLATION = TransactionDefinition.ISOLATION_READ_COMMITTED;

    private static final Set<DatabaseDriver> LIKE_MYSQL = Set.of(DatabaseDriver.MYSQL, DatabaseDriver.MARIADB);

    private final String clock;

    OutboxDialect(String clock) {
        this.clock = clock;
    }

    /** @throws UnsupportedDatabaseException if the outbox does not run on it */
    public static OutboxDialect of(DatabaseDriver database) {
        if (LIKE_MYSQL.contains(database)) {
            return MYSQL;
        }
        return switch (database) {
            case POSTGRESQL -> POSTGRESQL;
            case H2 -> H2;
            default ->
                throw new UnsupportedDatabaseException("The outbox runs on PostgreSQL, MariaDB, MySQL and H2, but the"
                        + " DataSource's database is " + database + ". Annotate another DataSource with"
                        + " @DelayQueueDataSource, or set delayqueue.jdbc.enabled to false");
        };
    }

    /**
     * What has to be added to {@link #moment} of a time from now for that time by the clock of the table, in ms since
     * 1970.
     */
    String clock() {
        return clock;
    }

    long moment(long millisFromNow) {
        return (this == H2) ? System.currentTimeMillis() + millisFromNow : millisFromNow;
    }

    /** The two sets of bytes, one behind the other. */
    String joined(String first, String second) {
        return (this == MYSQL) ? "CONCAT(" + first + ", " + second + ")" : first + " || " + second;
    }

    /** Behind a column: that it is one of the {@link #values} of some keys. */
    String among(int keys) {
        return (this == POSTGRESQL) ? "= ANY (?)" : "IN " + Rows.places(keys);
    }

    /** The arguments of {@link #among}. */
    Object[] values(Collection<RowKey> keys) {
        if (this == POSTGRESQL) {
            byte[][] bytes = keys.stream().map(RowKey::bytes).toArray(byte[][]::new);
            return new Object[] {new SqlArrayValue("bytea", (Object[]) bytes)};
        }
        return Rows.fill(keys);
    }

    /**
     * Behind a table's name, to have its rows found by an index however few there are: MySQL and MariaDB would read
     * them all, and a statement that changes rows waits for every one that it meets and another transaction holds.
     */
    String byIndex(String index) {
        return (this == MYSQL) ? " FORCE INDEX (" + index + ")" : "";
    }
}
