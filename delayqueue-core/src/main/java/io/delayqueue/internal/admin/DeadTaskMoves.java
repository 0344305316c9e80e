// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.admin.RedriveResult;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallsInTurn;
import io.delayqueue.internal.sharding.QueueLayout;
import io.delayqueue.internal.sharding.ShardRouter;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.RedriveRequest;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Redrives and discards dead tasks by their ids. A task is in the shard of its routing key, which is its id unless it was
 * scheduled with another; so each id is looked for in its own shard first and then in the others. While tasks move, they are
 * looked for where they come from before where they go to.
 */
final class DeadTaskMoves {

    private final TaskStore store;
    private final ShardedTasks homes;
    private final BoundedWait wait;

    DeadTaskMoves(TaskStore store, ShardedTasks homes, BoundedWait wait) {
        this.store = store;
        this.homes = homes;
        this.wait = wait;
    }

    RedriveResult redrive(String queue, Collection<String> ids) {
        Queue<Instant> lastDue = new ConcurrentLinkedQueue<>();
        Set<String> missing = inShards(
                queue,
                ids,
                (shard, layout, batch) -> store.redrive(shard, layout, RedriveRequest.now(batch))
                        .thenApply(redriven -> {
                            Instant last = redriven.lastDueAt();
                            if (last != null) {
                                lastDue.add(last);
                            }
                            return redriven.verdicts();
                        }));
        return new RedriveResult(
                new LinkedHashSet<>(ids).size() - missing.size(),
                List.copyOf(missing),
                lastDue.stream().max(Instant::compareTo));
    }

    /** Returns how many were discarded. */
    long discard(String queue, Collection<String> ids) {
        Set<String> missing = inShards(queue, ids, store::discard);
        return new LinkedHashSet<>(ids).size() - missing.size();
    }

    /** Returns the ids that no shard held. */
    private Set<String> inShards(String queue, Collection<String> ids, Move move) {
        Set<String> missing = new LinkedHashSet<>(ids);
        List<String> all = List.copyOf(missing);
        CallsInTurn turns = new CallsInTurn();
        Move inTurn = (shard, layout, batch) -> {
            turns.goOn();
            return move.in(shard, layout, batch).whenComplete((found, error) -> turns.goOn());
        };
        wait.answer(
                homes.again(queue, layout -> steps(queue, layout, all, missing, inTurn)),
                turns,
                "Queue '" + queue + "', dead tasks");
        return missing;
    }

    private CompletableFuture<@Nullable Boolean> steps(
            String queue, QueueLayout layout, List<String> all, Set<String> missing, Move move) {
        LayoutVersion stamp = ShardedTasks.stamp(layout);
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        // A process that died while it moved a task left it in two shards, and what is done to one is to be done to
        // both.
        for (int count : layout.counts()) {
            before = before.thenCompose(ignored ->
                    atHome(queue, count, stamp, layout.isTransition() ? all : List.copyOf(missing), missing, move));
        }
        return before.thenCompose(ignored -> sweep(queue, layout, stamp, missing, move))
                .thenApply(ignored -> true);
    }

    private static CompletableFuture<Void> sweep(
            String queue, QueueLayout layout, LayoutVersion stamp, Set<String> missing, Move move) {
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        List<String> elsewhere = List.copyOf(missing);
        for (int count : layout.counts()) {
            for (int shard = 0; shard < count && layout.span() > 1; shard++) {
                Shard next = new Shard(queue, shard);
                before = before.thenCompose(ignored ->
                        inShard(next, stamp, layout.isTransition() ? elsewhere : List.copyOf(missing), missing, move));
            }
        }
        return before;
    }

    private CompletableFuture<Void> atHome(
            String queue, int shards, LayoutVersion stamp, List<String> ids, Set<String> missing, Move move) {
        Map<Integer, List<String>> byShard = new TreeMap<>();
        for (String id : ids) {
            byShard.computeIfAbsent(ShardRouter.shardOf(id, shards), s -> new ArrayList<>())
                    .add(id);
        }
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (Map.Entry<Integer, List<String>> group : byShard.entrySet()) {
            Shard shard = new Shard(queue, group.getKey());
            before = before.thenCompose(ignored -> inShard(shard, stamp, group.getValue(), missing, move));
        }
        return before;
    }

    private static CompletableFuture<Void> inShard(
            Shard shard, LayoutVersion stamp, List<String> ids, Set<String> missing, Move move) {
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (int from = 0; from < ids.size(); from += TaskStore.MAX_BATCH) {
            List<String> batch = ids.subList(from, Math.min(from + TaskStore.MAX_BATCH, ids.size()));
            before = before.thenCompose(ignored -> move.in(shard, stamp, batch)).thenAccept(found -> {
                for (int i = 0; i < batch.size(); i++) {
                    if (found.get(i)) {
                        missing.remove(batch.get(i));
                    }
                }
            });
        }
        return before;
    }

    /** What to do with dead tasks in one shard; answers which of them it did it to. */
    private interface Move {

        CompletableFuture<List<Boolean>> in(Shard shard, LayoutVersion layout, List<String> ids);
    }
}
