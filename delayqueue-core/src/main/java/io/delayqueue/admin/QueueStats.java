// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * Counts of one queue, summed over its shards. Each shard is counted atomically, one shard after another.
 *
 * @param delayed tasks that are not yet due
 * @param heldBack due tasks that wait because their keys are over a limit ({@code delayqueue.queues.*.limits})
 * @param ready tasks that are due and have no valid lease, so a trigger can acquire them
 * @param leased leased tasks. Until it is acquired again, a task with an expired lease counts both as leased and as
 *     ready, and {@code delayed} is one too low for each such task.
 * @param dead dead tasks
 * @param nextAttention time when the next task is due or its lease ends; empty if the queue has no live task
 * @param pause the pause of the queue, or of the first shard that is paused; empty if none is
 */
public record QueueStats(
        long delayed,
        long heldBack,
        long ready,
        long leased,
        long dead,
        Optional<Instant> nextAttention,
        Optional<QueuePause> pause) {

    /** Returns whether any shard is paused. */
    public boolean paused() {
        return pause.isPresent();
    }
}
