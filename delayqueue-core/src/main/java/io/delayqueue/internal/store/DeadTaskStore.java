// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Tasks that are dead: redriven and deleted. Threads and failures as in {@link TaskStore}. */
public interface DeadTaskStore {

    /**
     * Makes dead tasks live again, their attempts forgotten. Sent again after its answer was lost it finds the tasks live and
     * changes nothing. Fails with {@link TaskMigratingException} where one is on its way to another shard.
     */
    CompletableFuture<ShardRedrive> redrive(Shard shard, LayoutVersion layout, ShardRedriveRequest request);

    /** Makes dead tasks live again whatever the layout. */
    default CompletableFuture<ShardRedrive> redrive(Shard shard, ShardRedriveRequest request) {
        return redrive(shard, LayoutVersion.NONE, request);
    }

    /**
     * Deletes dead tasks. Answers in the order of the ids: true where the task was deleted, false where it is not dead
     * and nothing was changed. Fails with {@link TaskMigratingException} where one is on its way to another shard.
     *
     * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
     */
    CompletableFuture<List<Boolean>> discard(Shard shard, LayoutVersion layout, List<String> ids);

    /**
     * As {@link #discard}, but deletes only what is dead by the very death that was read: the id of a task that was read
     * may since be that of another one, which died as well.
     *
     * @param deaths 1 to {@link TaskStore#MAX_BATCH}, with ids that all differ
     */
    CompletableFuture<List<Boolean>> discardDeaths(Shard shard, LayoutVersion layout, List<Position> deaths);

    /** Deletes dead tasks whatever the layout. */
    default CompletableFuture<List<Boolean>> discard(Shard shard, List<String> ids) {
        return discard(shard, LayoutVersion.NONE, ids);
    }

    /** Deletes dead tasks that are too old. */
    CompletableFuture<DeadTrim> trim(Shard shard, TrimRequest request);
}
