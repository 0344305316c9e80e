// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import io.delayqueue.internal.jdbc.schema.Database;

/** SQL statements for the inbox table. A duplicate must not abort the transaction. */
public record InboxTable(Database database, String name) {

    /**
     * Returns the statement that inserts consumer, task key and epoch milliseconds. For a duplicate, it changes no row
     * or fails with a duplicate key. If another transaction has inserted the same key, the statement waits for the end
     * of that transaction.
     */
    String insert() {
        String columns = name + " (consumer, task_key, received_at) VALUES (?, ?, ?)";
        return switch (database) {
            // A statement that fails would abort the whole transaction.
            case POSTGRESQL -> "INSERT INTO " + columns + " ON CONFLICT DO NOTHING";
            case MYSQL -> "INSERT IGNORE INTO " + columns;
            case H2 -> "INSERT INTO " + columns;
        };
    }

    /** Returns the statement that deletes up to {@code most} rows received before a given epoch millisecond. */
    String deleteOld(int most) {
        String old = "received_at < ?";
        return switch (database) {
            case POSTGRESQL ->
                "DELETE FROM " + name + " WHERE (consumer, task_key) IN (SELECT consumer, task_key FROM " + name
                        + " WHERE " + old + " ORDER BY received_at LIMIT " + most + " FOR UPDATE SKIP LOCKED)";
            case MYSQL -> "DELETE FROM " + name + " WHERE " + old + " ORDER BY received_at LIMIT " + most;
            case H2 -> "DELETE FROM " + name + " WHERE " + old + " FETCH FIRST " + most + " ROWS ONLY";
        };
    }
}
