// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import java.time.Duration;

/**
 * A row of the outbox, as read.
 *
 * @param version version of the row, which increases with each added operation
 * @param operations encoded operations in commit order; not copied, so do not modify
 * @param availableAt earliest time for any process to take the row, in ms since 1970 by the clock of the table
 * @param createdAt time when the row was inserted, by the same clock
 * @param attempts number of times that a sweep has taken the row before
 */
public record OutboxRow(
        RowKey key,
        String queue,
        String id,
        long version,
        byte[] operations,
        long availableAt,
        long createdAt,
        int attempts) {

    /** Returns the row's age when it became available, a lower bound of its present age. */
    public Duration waited() {
        return Duration.ofMillis(availableAt - createdAt);
    }

    /** Shows only sizes. */
    @Override
    public String toString() {
        return "OutboxRow[queue=" + queue + ", id=" + id + ", version=" + version + ", " + operations.length
                + " bytes]";
    }
}
