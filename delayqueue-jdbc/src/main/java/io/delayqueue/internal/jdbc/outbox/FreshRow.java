// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

/**
 * A row that is this process's to send first.
 *
 * @param key of the row
 * @param firstVersion the row's, when it was inserted; one that begins at another version is another row
 * @param bytes of its operations, as far as is known
 * @param ourUntilNanos until when other processes leave it alone, by {@link System#nanoTime}
 */
public record FreshRow(RowKey key, long firstVersion, int bytes, long ourUntilNanos) {

    private static final long MOST_OPERATIONS = 1L << 32;

    /** Whether a row that was read back is this one. */
    public boolean isOf(OutboxRow row) {
        return row.version() - firstVersion >= 0 && row.version() - firstVersion < MOST_OPERATIONS;
    }
}
