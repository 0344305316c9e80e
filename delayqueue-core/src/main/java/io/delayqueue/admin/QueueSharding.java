// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.OptionalInt;

/**
 * The number of shards of a queue.
 *
 * @param shards the number in effect for every process
 * @param configured the last configured number that was applied. A process that starts with another number requests a
 *     change
 * @param migratingFrom the number of shards from which tasks migrate; empty if every task is in its shard
 */
public record QueueSharding(int shards, int configured, OptionalInt migratingFrom) {

    /** Returns whether tasks are still migrating to their new shards. */
    public boolean isMigrating() {
        return migratingFrom.isPresent();
    }
}
