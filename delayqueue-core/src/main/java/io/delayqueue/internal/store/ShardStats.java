// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counts of one shard.
 *
 * @param live waiting and leased tasks
 * @param due live tasks that need attention now, with those whose lease ran out
 * @param leased tasks with a lease, whether or not it ran out
 * @param dead dead tasks, which are kept
 * @param nextAttention the earliest moment at which a live task needs attention
 * @param paused whether nothing is acquired
 * @param paceFreeFromMicros when the next task of a paced redrive may be due, microseconds since the epoch; 0 if there
 *     never was one, or one more than a year ahead, which no redrive reserves
 * @param now the clock of the server that holds the shard
 */
public record ShardStats(
        long live,
        long due,
        long leased,
        long dead,
        @Nullable Instant nextAttention,
        boolean paused,
        long paceFreeFromMicros,
        Instant now) {}
