// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A shard as a whole: its figures, a pause, a purge. Threads and failures as in {@link TaskStore}. */
public interface ShardStore {

    /** Counts the shard's tasks. */
    CompletableFuture<ShardStats> stats(Shard shard);

    /**
     * Counts the shard's tasks for gauges.
     *
     * @param ahead how far to look ahead; a few, each not negative
     */
    CompletableFuture<ShardOutlook> outlook(Shard shard, List<Duration> ahead);

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
