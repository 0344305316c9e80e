// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * Counts of one queue, summed over its shards. Each shard is counted in one step, the shards one after the other.
 *
 * @param delayed tasks that wait for a moment still to come
 * @param ready tasks that are due and not under a live lease: what the triggers have yet to take
 * @param leased tasks under a lease. Until someone takes over a lease that ran out, its task counts here and as ready,
 *     and {@code delayed} is one short for each
 * @param dead dead tasks, which are kept
 * @param nextAttention the earliest moment at which a task needs attention (is due, or its lease ends); empty when the
 *     queue holds no live task
 * @param paused whether tasks are kept from being taken, in any shard
 */
public record QueueStats(
        long delayed, long ready, long leased, long dead, Optional<Instant> nextAttention, boolean paused) {}
