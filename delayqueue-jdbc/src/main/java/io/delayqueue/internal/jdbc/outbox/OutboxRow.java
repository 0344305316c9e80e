// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import java.time.Duration;

/**
 * A row that was read from the outbox.
 *
 * @param version version of the row, which increases with each added operation
 * @param operations encoded operations in commit order; not copied, so do not modify
 * @param availableAt earliest time for any process to take the row, in ms since 1970 by the clock of the table
 * @param createdAt time when the row was inserted, by the same clock
 * @param attempts number of times that sweeps have taken the row
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

    /** Returns the age of the row when it became available, which is a lower bound of its current age. */
    public Duration waited() {
        return Duration.ofMillis(availableAt - createdAt);
    }

    /** Returns the row with only its first operations. */
    public OutboxRow first(int count) {
        byte[] some = OperationFormat.first(operations, count);
        return new OutboxRow(key, queue, id, version, some, availableAt, createdAt, attempts);
    }

    /** Shows only sizes. */
    @Override
    public String toString() {
        return "OutboxRow[queue=" + queue + ", id=" + id + ", version=" + version + ", " + operations.length
                + " bytes]";
    }
}
