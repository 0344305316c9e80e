// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import java.time.Duration;

/**
 * A row of the outbox as it was read.
 *
 * @param key of the task
 * @param queue of the task
 * @param id of the task
 * @param version raised whenever an operation is added
 * @param operations encoded, in the order of their commits; not copied, so nobody may write to them
 * @param availableAt when any process may take it, ms since 1970 by the clock of the table
 * @param createdAt when it was inserted, by the same clock
 * @param attempts how many times it was taken by a sweep before
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

    /** How old it was when it became available, as far as is known here: at least so long ago it was inserted. */
    public Duration waited() {
        return Duration.ofMillis(availableAt - createdAt);
    }

    /** Sizes only. */
    @Override
    public String toString() {
        return "OutboxRow[queue=" + queue + ", id=" + id + ", version=" + version + ", " + operations.length
                + " bytes]";
    }
}
