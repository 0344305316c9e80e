// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.GroupTask;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Tasks of groups, which their ids name ({@link io.delayqueue.TaskIds#inGroup}). All tasks of a group are in one shard. Threads and
 * failures as in {@link TaskStore}.
 */
public interface GroupStore {

    /** Reads the first live tasks of a group, one more than the limit, and then as many dead ones. */
    CompletableFuture<List<GroupTask>> page(Shard shard, LayoutVersion layout, GroupPosition position);

    /** Counts the live tasks of a group. */
    CompletableFuture<Long> count(Shard shard, LayoutVersion layout, String group);

    /** Changes live tasks of a group. */
    CompletableFuture<ShardGroupChange> change(
            Shard shard, LayoutVersion layout, GroupPosition position, GroupChange change);

    /** Changes live tasks of a group, and waits for so many replicas. */
    CompletableFuture<Replicated<ShardGroupChange>> change(
            Shard shard, LayoutVersion layout, GroupPosition position, GroupChange change, int replicas);
}
