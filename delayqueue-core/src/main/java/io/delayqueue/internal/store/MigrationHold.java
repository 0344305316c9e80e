// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import java.util.List;

/**
 * Tasks that a shard holds while they migrate to another one.
 *
 * @param token of the holds; 0 if there are none
 * @param deadline until when they hold, by the clock of the server they come from
 * @param lookedAt how many of the ids were looked at; fewer than asked for where the tasks are large
 * @param busy how many of those stay because they are leased, or held for another migration
 * @param tasks the tasks held
 */
public record MigrationHold(long token, Instant deadline, int lookedAt, int busy, List<Item> tasks) {

    /**
     * A task as it is stored.
     *
     * @param id its id
     * @param dead whether it is dead, or else live
     * @param momentMillis when it needs attention, or when it died
     * @param envelope stored bytes
     * @param attempts its record of attempts; empty if there is none
     */
    public record Item(String id, boolean dead, long momentMillis, byte[] envelope, byte[] attempts) {

        /** Sizes only. */
        @Override
        public String toString() {
            return "Item[id=" + id + ", dead=" + dead + ", " + envelope.length + " bytes]";
        }
    }
}
