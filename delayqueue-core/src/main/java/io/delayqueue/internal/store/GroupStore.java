// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.concurrent.CompletableFuture;

/**
 * Tasks of groups, which their ids name ({@link io.delayqueue.TaskIds#inGroup}). A group is in one shard. Each call is a step that
 * looks at so many tasks at most, and answers from where the next one goes on. Threads and failures as in {@link TaskStore}.
 */
public interface GroupStore {

    /** The fewest tasks that a step may be limited to. */
    int LEAST_LIMIT = 20;

    /** Reads tasks of a group, live and dead. */
    CompletableFuture<ShardGroupPage> page(Shard shard, LayoutVersion layout, GroupPosition position);

    /** Counts tasks of a group, live and dead. */
    CompletableFuture<ShardGroupPage> count(Shard shard, LayoutVersion layout, GroupPosition position);

    /** Changes live tasks of a group. */
    CompletableFuture<ShardGroupChange> change(
            Shard shard, LayoutVersion layout, GroupPosition position, GroupChange change);

    /** Changes live tasks of a group, and waits for so many replicas. */
    CompletableFuture<Replicated<ShardGroupChange>> change(
            Shard shard, LayoutVersion layout, GroupPosition position, GroupChange change, int replicas);
}
