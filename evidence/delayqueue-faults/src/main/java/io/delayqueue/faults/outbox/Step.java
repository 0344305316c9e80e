// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an application from a transaction to a task in Redis, as its database and its store see them.
 * They do not depend on the library's implementation.
 */
public enum Step {
    /** A user's transaction writes an operation. */
    WRITE,
    /** A user's transaction with a written operation is committed. */
    WRITE_COMMIT,
    /** Rows are taken: rows that are due and not locked by others, or rows that were just committed. */
    CLAIM,
    /** The rows are committed as taken, or were read outside a transaction. */
    CLAIM_COMMIT,
    /** Operations are sent to Redis. */
    SEND,
    /** Sent rows are deleted, or the sent operations are removed from them. */
    DELETE,
    /** The deletion is committed. */
    DELETE_COMMIT;

    /** Returns the step of a statement, or null if the statement is not a step. */
    static @Nullable Step of(String sql) {
        String text = sql.strip().toLowerCase(Locale.ROOT);
        if (!text.contains("delayqueue_outbox") || text.contains("delayqueue_outbox_rejected")) {
            return null;
        }
        if (text.startsWith("insert") || text.startsWith("merge")) {
            return WRITE;
        }
        if (text.startsWith("delete") || text.startsWith("update") && text.contains("operations =")) {
            return DELETE;
        }
        boolean claims = text.contains("for update") || text.contains("operations") || text.startsWith("update");
        return claims ? CLAIM : null;
    }

    /** Returns the commit of a transaction that ends with this step. */
    Step commit() {
        return switch (this) {
            case WRITE -> WRITE_COMMIT;
            case CLAIM -> CLAIM_COMMIT;
            case DELETE -> DELETE_COMMIT;
            default -> this;
        };
    }
}
