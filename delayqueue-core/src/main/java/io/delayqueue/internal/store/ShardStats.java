// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts of one shard.
 *
 * @param live waiting and leased tasks
 * @param due live tasks that need attention now, with those whose lease ran out
 * @param leased tasks with a lease, whether or not it ran out
 * @param dead dead tasks, which are kept
 * @param quarantined those of the dead that no bound drops
 * @param nextAttention the earliest moment at which a live task needs attention
 * @param paused whether nothing is acquired
 * @param now the clock of the server that holds the shard
 * @param dueWithin for each time that was asked for, how many live tasks need attention between now and then
 */
public record ShardStats(
        long live,
        long due,
        long leased,
        long dead,
        long quarantined,
        @Nullable Instant nextAttention,
        boolean paused,
        Instant now,
        List<Long> dueWithin) {

    public ShardStats {
        dueWithin = List.copyOf(dueWithin);
    }

    /** Returns how many dead tasks bounds may drop. */
    public long droppable() {
        return dead - quarantined;
    }

    /** Returns how long the task that has been due longest waits, by the server's clock; zero if none is due. */
    public Duration overdue() {
        return nextAttention == null || nextAttention.isAfter(now)
                ? Duration.ZERO
                : Duration.between(nextAttention, now);
    }
}
