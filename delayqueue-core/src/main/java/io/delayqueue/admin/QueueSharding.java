// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.OptionalInt;

/**
 * The number of shards of a queue.
 *
 * @param shards the number in force, for every process
 * @param configured the configured number that the last change by configuration came from; a process that starts with
 *     another one asks for a change
 * @param migratingFrom the number of shards that tasks migrate from; empty when every task is in its shard
 */
public record QueueSharding(int shards, int configured, OptionalInt migratingFrom) {

    /** Returns whether tasks still migrate to the shards where they belong. */
    public boolean isMigrating() {
        return migratingFrom.isPresent();
    }
}
