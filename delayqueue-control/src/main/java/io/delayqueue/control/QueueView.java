// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.QueueStats;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it stood at one moment.
 *
 * @param queue its name
 * @param delayed tasks that wait for a moment still to come
 * @param ready tasks that are due and have yet to be taken
 * @param leased tasks under delivery
 * @param dead tasks that were given up
 * @param nextAttentionAt the earliest moment at which a task needs attention; null for none
 * @param paused whether tasks are kept from being taken
 * @param shards over how many shards it is spread
 * @param migratingFrom the number of shards that tasks migrate from; null when every task is in its shard
 * @param permissions what the caller may do with it
 */
public record QueueView(
        String queue,
        long delayed,
        long ready,
        long leased,
        long dead,
        @Nullable Instant nextAttentionAt,
        boolean paused,
        int shards,
        @Nullable Integer migratingFrom,
        Set<QueuePermission> permissions) {

    static QueueView of(String queue, QueueStats stats, QueueSharding sharding, Set<QueuePermission> permissions) {
        return new QueueView(
                queue,
                stats.delayed(),
                stats.ready(),
                stats.leased(),
                stats.dead(),
                stats.nextAttention().orElse(null),
                stats.paused(),
                sharding.shards(),
                sharding.isMigrating() ? sharding.migratingFrom().getAsInt() : null,
                Set.copyOf(permissions));
    }
}
