// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;

/** How rows are read, and how many of them are asked for by their keys. */
final class Rows {

    static final String COLUMNS =
            "row_key, queue_name, task_id, version, operations, available_at, created_at, attempts";

    private Rows() {}

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

    /** As many places as a power of two, so that there are few different statements. */
    static String places(int keys) {
        return "(" + String.join(", ", Collections.nCopies(padded(keys), "?")) + ")";
    }

    /** The keys in their order, the last one again and again until every place has one. */
    static Object[] fill(Collection<RowKey> keys) {
        Object[] filled = new Object[padded(keys.size())];
        int next = 0;
        for (RowKey key : keys.stream().sorted().toList()) {
            filled[next++] = key.bytes();
        }
        while (next < filled.length) {
            filled[next] = filled[next - 1];
            next++;
        }
        return filled;
    }

    private static int padded(int keys) {
        return Integer.highestOneBit(Math.max(1, 2 * keys - 1));
    }
}
