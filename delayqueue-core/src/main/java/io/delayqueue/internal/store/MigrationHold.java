// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import java.util.List;

/**
 * The tasks that a shard holds for a migration to another shard.
 *
 * @param token token of the holds; 0 if there are none
 * @param deadline time when the holds expire, by the clock of the source server
 * @param lookedAt number of ids processed; fewer than requested if the tasks are large
 * @param busy number of tasks that cannot migrate now because they are leased or held for another migration
 */
public record MigrationHold(long token, Instant deadline, int lookedAt, int busy, List<Item> tasks) {

    /**
     * A task as stored.
     *
     * @param dead whether it is dead; otherwise it is live
     * @param momentMillis time when it needs attention, or when it died
     * @param envelope the stored bytes
     * @param attempts the task's attempts record; empty if it has none
     */
    public record Item(String id, boolean dead, long momentMillis, byte[] envelope, byte[] attempts) {

        /** Shows only sizes. */
        @Override
        public String toString() {
            return "Item[id=" + id + ", dead=" + dead + ", " + envelope.length + " bytes]";
        }
    }
}
