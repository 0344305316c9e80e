// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;

/**
 * A row that this process sends.
 *
 * @param attempts number of attempts, as long as no other process has taken the row
 * @param ourUntilNanos end of the row's reservation for this process, by {@link System#nanoTime}
 * @param isPart whether the row in the table has more operations, which are sent when these have been removed
 */
record TakenRow(OutboxRow row, int attempts, long ourUntilNanos, boolean isPart) {

    TakenRow(OutboxRow row, int attempts, long ourUntilNanos) {
        this(row, attempts, ourUntilNanos, false);
    }

    /** Returns the row with only its first operations. */
    TakenRow part(int operations) {
        return new TakenRow(row.first(operations), attempts, ourUntilNanos, true);
    }
}
