// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.List;

/**
 * Over how many shards a queue is spread.
 *
 * @param shards the number in force, for every process
 * @param configured the configured number that the last change by configuration came from; a process that starts with
 *     another one asks for a change
 * @param migratingFrom earlier numbers of shards from which tasks still migrate, oldest first; empty when every task is
 *     in its shard
 */
public record QueueLayoutInfo(int shards, int configured, List<Integer> migratingFrom) {

    public QueueLayoutInfo {
        migratingFrom = List.copyOf(migratingFrom);
    }

    /** Whether tasks still migrate to the shards where they belong. */
    public boolean isMigrating() {
        return !migratingFrom.isEmpty();
    }
}
