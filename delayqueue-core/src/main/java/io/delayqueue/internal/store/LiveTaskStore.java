// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Live tasks that are not named by their ids: read, and acted on by their moments. Threads and failures as in {@link TaskStore}. */
public interface LiveTaskStore {

    /** Reads live tasks in the order of their next moments of attention, without their content. */
    CompletableFuture<ShardLivePage> page(Shard shard, ShardLivePageRequest request);

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
}
