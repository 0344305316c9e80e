// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

/**
 * A row that this process should send first.
 *
 * @param key key of the row
 * @param firstVersion version of the row when it was inserted. A row that started at another version is a different
 *     row.
 * @param bytes size of its operations; 0 if unknown
 * @param ourUntilNanos end of its reservation for this process, by {@link System#nanoTime}
 */
public record FreshRow(RowKey key, long firstVersion, int bytes, long ourUntilNanos) {

    private static final long MOST_OPERATIONS = 1L << 32;

    /** Returns whether the row that was read is this one. */
    public boolean isOf(OutboxRow row) {
        return row.version() - firstVersion >= 0 && row.version() - firstVersion < MOST_OPERATIONS;
    }
}
