// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.admin.QueuePause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts of one shard.
 *
 * @param live number of waiting and leased tasks
 * @param heldBack number of due tasks, not included in {@code due}, that wait because their keys are over a limit
 * @param due number of live tasks that need attention now, including tasks with an expired lease
 * @param leased number of tasks with a lease, expired or not
 * @param dead number of dead tasks
 * @param quarantined number of dead tasks that are quarantined
 * @param nextAttention time when the next live task needs attention
 * @param pause the shard's pause; null if it is not paused
 * @param now the clock of the shard's server
 * @param dueWithin for each requested duration, the number of live tasks that need attention within it
 */
public record ShardStats(
        long live,
        long heldBack,
        long due,
        long leased,
        long dead,
        long quarantined,
        @Nullable Instant nextAttention,
        @Nullable QueuePause pause,
        Instant now,
        List<Long> dueWithin) {

    public ShardStats {
        dueWithin = List.copyOf(dueWithin);
    }

    public boolean paused() {
        return pause != null;
    }

    /** Returns the number of dead tasks that limits may delete. */
    public long droppable() {
        return dead - quarantined;
    }

    /** Returns how long the oldest due task has been overdue, by the server's clock; zero if none is due. */
    public Duration overdue() {
        return nextAttention == null || nextAttention.isAfter(now)
                ? Duration.ZERO
                : Duration.between(nextAttention, now);
    }
}
