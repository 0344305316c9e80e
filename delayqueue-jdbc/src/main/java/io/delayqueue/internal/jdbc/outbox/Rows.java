// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.jdbc.schema.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import org.springframework.jdbc.support.SqlArrayValue;

/** Reads rows and finds them by key. */
final class Rows {

    static final String COLUMNS =
            "row_key, queue_name, task_id, version, operations, available_at, created_at, attempts";

    /** The condition that a row is of a queue, and that its id matches {@link #startingWith}. */
    static final String HAVE_ID_PREFIX = "queue_name = ? AND task_id LIKE ? ESCAPE '!'";

    private Rows() {}

    static String startingWith(String idPrefix) {
        return idPrefix.replaceAll("[!%_]", "!$0") + "%";
    }

    static OutboxRow read(ResultSet result, int number) throws SQLException {
        return new OutboxRow(
                RowKey.read(result.getBytes(1)),
                result.getString(2),
                result.getString(3),
                result.getLong(4),
                result.getBytes(5),
                result.getLong(6),
                result.getLong(7),
                result.getInt(8));
    }

    /**
     * Returns the condition that the key of a row is in a set, with {@link #values} as its arguments. To limit the
     * number of different statements, the number of placeholders is a power of two.
     */
    static String haveKeys(Database database, int keys) {
        return "row_key "
                + (database == Database.POSTGRESQL
                        ? "= ANY (?)"
                        : "IN (" + String.join(", ", Collections.nCopies(padded(keys), "?")) + ")");
    }

    /** Returns the keys in order, and repeats the last key for the remaining placeholders. */
    static Object[] values(Database database, Collection<RowKey> keys) {
        if (database == Database.POSTGRESQL) {
            byte[][] bytes = keys.stream().map(RowKey::bytes).toArray(byte[][]::new);
            return new Object[] {new SqlArrayValue("bytea", (Object[]) bytes)};
        }
        Object[] sorted = keys.stream().sorted().map(RowKey::bytes).toArray();
        Object[] filled = Arrays.copyOf(sorted, padded(sorted.length));
        Arrays.fill(filled, sorted.length, filled.length, sorted[sorted.length - 1]);
        return filled;
    }

    private static int padded(int keys) {
        return Integer.highestOneBit(Math.max(1, 2 * keys - 1));
    }
}
