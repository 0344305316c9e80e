// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.admin.QueuePause;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.control.QueuePermission;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a queue at one moment.
 *
 * @param delayed number of tasks that are not due yet
 * @param heldBack number of due tasks that wait because their keys are over a limit
 * @param ready number of due tasks that have not been acquired
 * @param leased number of tasks in progress
 * @param dead number of dead tasks
 * @param nextAttentionAt time of the next event of a live task; null for none
 * @param paused whether acquiring is paused
 * @param pause the pause, with its start, end, operator and reason; null if the queue is not paused
 * @param shards number of shards
 * @param migratingFrom earlier number of shards while tasks migrate; otherwise null
 * @param permissions the caller's permissions
 */
public record QueueView(
        String queue,
        long delayed,
        long heldBack,
        long ready,
        long leased,
        long dead,
        @Nullable Instant nextAttentionAt,
        boolean paused,
        @Nullable QueuePause pause,
        int shards,
        @Nullable Integer migratingFrom,
        Set<QueuePermission> permissions) {

    static QueueView of(String queue, QueueStats stats, QueueSharding sharding, Set<QueuePermission> permissions) {
        return new QueueView(
                queue,
                stats.delayed(),
                stats.heldBack(),
                stats.ready(),
                stats.leased(),
                stats.dead(),
                stats.nextAttention().orElse(null),
                stats.paused(),
                stats.pause().orElse(null),
                sharding.shards(),
                sharding.isMigrating() ? sharding.migratingFrom().getAsInt() : null,
                Set.copyOf(permissions));
    }
}
