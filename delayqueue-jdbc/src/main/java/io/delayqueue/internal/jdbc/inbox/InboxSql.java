// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import java.util.Locale;

/**
 * The inbox's statements, as a database writes them. Each insert of a key that another transaction has inserted waits
 * until that one has ended. A duplicate never makes the transaction unusable.
 */
enum InboxSql {
    /** A statement that fails aborts the whole transaction there, so a duplicate must be no failure. */
    POSTGRESQL(
            "INSERT INTO %s (consumer, task_key, received_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            "DELETE FROM %1$s WHERE (consumer, task_key) IN (SELECT consumer, task_key FROM %1$s WHERE received_at < ?"
                    + " ORDER BY received_at LIMIT %2$d FOR UPDATE SKIP LOCKED)"),
    MYSQL(
            "INSERT IGNORE INTO %s (consumer, task_key, received_at) VALUES (?, ?, ?)",
            "DELETE FROM %s WHERE received_at < ? ORDER BY received_at LIMIT %d"),
    H2(
            "INSERT INTO %s (consumer, task_key, received_at) VALUES (?, ?, ?)",
            "DELETE FROM %s WHERE received_at < ? FETCH FIRST %d ROWS ONLY");

    private final String insert;
    private final String deleteOld;

    InboxSql(String insert, String deleteOld) {
        this.insert = insert;
        this.deleteOld = deleteOld;
    }

    /** @param product the name by which the database introduces itself, which is one that the outbox starts on */
    static InboxSql of(String product) {
        String name = product.toLowerCase(Locale.ROOT);
        if (name.contains("postgresql")) {
            return POSTGRESQL;
        }
        return (name.contains("mysql") || name.contains("mariadb")) ? MYSQL : H2;
    }

    /** Inserts consumer, task key and epoch ms, unless they are there: then it changes no row, or fails as a duplicate. */
    String insert(String table) {
        return insert.formatted(table);
    }

    /** Deletes at most so many rows that were received before an epoch ms, in a transaction of its own. */
    String deleteOld(String table, int most) {
        return deleteOld.formatted(table, most);
    }
}
