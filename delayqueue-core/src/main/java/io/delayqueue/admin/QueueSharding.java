// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.OptionalInt;

/**
 * The number of shards of a queue.
 *
 * @param shards the number in effect for every process
 * @param configured the configured number that caused the last change by configuration; a process that starts with
 *     another number requests a change
 * @param migratingFrom the number of shards from which tasks migrate; empty if every task is in its shard
 */
public record QueueSharding(int shards, int configured, OptionalInt migratingFrom) {

    /** Returns whether tasks still migrate to the shards where they belong. */
    public boolean isMigrating() {
        return migratingFrom.isPresent();
    }
}
