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
 * @param heldBack number of due live tasks that wait because their keys are over a limit; {@code due} excludes them
 * @param due number of live tasks that need attention now, including those with an expired lease
 * @param leased number of tasks with a lease, expired or not
 * @param dead number of dead tasks
 * @param quarantined number of dead tasks that are quarantined
 * @param nextAttention time when a live task next needs attention
 * @param pause the pause, during which nothing is acquired; null for none
 * @param now the clock of the shard's server
 * @param dueWithin number of live tasks that need attention from now until then, for each requested time
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

    /** Returns whether nothing is acquired. */
    public boolean paused() {
        return pause != null;
    }

    /** Returns the number of dead tasks that limits may delete. */
    public long droppable() {
        return dead - quarantined;
    }

    /** Returns how long the longest overdue task has been waiting, by the server's clock; zero if none is due. */
    public Duration overdue() {
        return nextAttention == null || nextAttention.isAfter(now)
                ? Duration.ZERO
                : Duration.between(nextAttention, now);
    }
}
