// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A shard as a whole: its figures, its lists of tasks, a pause, a purge. Threads and failures as in {@link TaskStore}. */
public interface ShardStore {

    /** Counts the shard's tasks. */
    default CompletableFuture<ShardStats> stats(Shard shard) {
        return stats(shard, List.of());
    }

    /**
     * Counts the shard's tasks, and those that soon need attention.
     *
     * @param ahead how far to look ahead; a few, each not negative
     */
    CompletableFuture<ShardStats> stats(Shard shard, List<Duration> ahead);

    /**
     * Reserves a span of time in which tasks of a queue become due at a pace, behind the spans that were reserved before.
     *
     * @return when it begins, microseconds since the epoch
     */
    CompletableFuture<Long> reserveDueTimes(String queue, long spanMicros);

    /** Reads tasks a page at a time. */
    CompletableFuture<Page> page(Shard shard, PageRequest request);

    /**
     * Counts live tasks by when they need attention next. Answers first how many need it before the first slice, then one
     * count for each slice, and last how many need it behind the last.
     */
    CompletableFuture<List<Long>> dueCounts(Shard shard, DueCountsRequest request);

    /**
     * Tells which live tasks of a window are under delivery, and which wait after a failed attempt. Looks at some and says where
     * to go on.
     *
     * @param cursor of the answer before; 0 to begin
     */
    CompletableFuture<ShardDueKinds> dueKinds(Shard shard, DueCountsRequest request, String cursor);

    /** Stops every process from acquiring tasks of the shard. Answers false if it was paused already. */
    CompletableFuture<Boolean> pause(Shard shard);

    /** Lets tasks of the shard be acquired again, and wakes the pollers. Answers false if it was not paused. */
    CompletableFuture<Boolean> resume(Shard shard);

    /**
     * Deletes tasks whatever their state; holders of their leases find their tokens stale.
     *
     * @param limit tasks at most, 1 to {@link TaskStore#MAX_BATCH}
     */
    CompletableFuture<ShardPurge> purge(Shard shard, int limit);
}
