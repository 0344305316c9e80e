// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * Counts of one queue, summed over its shards. Shards are counted one after another, each of them atomically.
 *
 * @param delayed tasks that are not yet due
 * @param heldBack due tasks that wait because their keys are over a limit ({@code delayqueue.queues.*.limits})
 * @param ready tasks that are due and have no valid lease, so a trigger can acquire them
 * @param leased leased tasks. A task with an expired lease counts both here and as ready until it is acquired again.
 *     For each such task, {@code delayed} is one too low.
 * @param dead dead tasks
 * @param nextAttention time when the next task needs attention (it is due, or its lease ends); empty if the queue has
 *     no live task
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
