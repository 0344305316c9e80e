// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.admin.RedriveResult;
import io.delayqueue.internal.calls.CallProgress;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardRedriveRequest;
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
 * Redrives and discards dead tasks by their ids, each in the shard where it belongs. While tasks migrate, they are
 * looked for where they come from before where they go to.
 */
final class DeadTaskLookup {

    private final TaskStore store;
    private final LayoutRetries retries;

    DeadTaskLookup(TaskStore store, LayoutRetries retries) {
        this.store = store;
        this.retries = retries;
    }

    /** @param progress told of each call that is made and answered */
    CompletableFuture<RedriveResult> redrive(String queue, Collection<String> ids, CallProgress progress) {
        Set<String> all = new LinkedHashSet<>(ids);
        Queue<Instant> lastDue = new ConcurrentLinkedQueue<>();
        return inShards(
                        queue,
                        all,
                        progress,
                        (shard, layout, batch) -> store.dead()
                                .redrive(shard, layout, ShardRedriveRequest.now(batch))
                                .thenApply(redriven -> {
                                    Instant last = redriven.lastDueAt();
                                    if (last != null) {
                                        lastDue.add(last);
                                    }
                                    return redriven.verdicts();
                                }))
                .thenApply(missing -> new RedriveResult(
                        all.size() - missing.size(),
                        List.copyOf(missing),
                        lastDue.stream().max(Instant::compareTo)));
    }

    /** Answers how many were discarded. */
    CompletableFuture<Long> discard(String queue, Collection<String> ids, CallProgress progress) {
        Set<String> all = new LinkedHashSet<>(ids);
        return inShards(queue, all, progress, store.dead()::discard)
                .thenApply(missing -> (long) all.size() - missing.size());
    }

    /** Answers the ids that no shard held. */
    private CompletableFuture<Set<String>> inShards(
            String queue, Set<String> ids, CallProgress progress, DeadCall call) {
        Set<String> missing = new LinkedHashSet<>(ids);
        List<String> all = List.copyOf(missing);
        DeadCall inTurn = (shard, layout, batch) -> {
            progress.made();
            return call.in(shard, layout, batch).whenComplete((found, error) -> progress.made());
        };
        return retries.again(queue, layout -> steps(queue, layout, all, missing, inTurn))
                .thenApply(ignored -> missing);
    }

    private static CompletableFuture<@Nullable Boolean> steps(
            String queue, QueueLayout layout, List<String> all, Set<String> missing, DeadCall call) {
        LayoutVersion version = layout.version();
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        // A process that died while it migrated a task left it in two shards; what is done to one is done to both.
        for (int count : layout.counts()) {
            before = before.thenCompose(ignored ->
                    atHome(queue, count, version, layout.isTransition() ? all : List.copyOf(missing), missing, call));
        }
        return before.thenApply(ignored -> true);
    }

    private static CompletableFuture<Void> atHome(
            String queue, int shards, LayoutVersion version, List<String> ids, Set<String> missing, DeadCall call) {
        Map<Integer, List<String>> byShard = new TreeMap<>();
        for (String id : ids) {
            byShard.computeIfAbsent(ShardRouter.shardOf(id, shards), s -> new ArrayList<>())
                    .add(id);
        }
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (Map.Entry<Integer, List<String>> group : byShard.entrySet()) {
            Shard shard = new Shard(queue, group.getKey());
            before = before.thenCompose(ignored -> inShard(shard, version, group.getValue(), missing, call));
        }
        return before;
    }

    private static CompletableFuture<Void> inShard(
            Shard shard, LayoutVersion version, List<String> ids, Set<String> missing, DeadCall call) {
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (int from = 0; from < ids.size(); from += TaskStore.MAX_BATCH) {
            List<String> batch = ids.subList(from, Math.min(from + TaskStore.MAX_BATCH, ids.size()));
            before = before.thenCompose(ignored -> call.in(shard, version, batch))
                    .thenAccept(found -> {
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
    private interface DeadCall {

        CompletableFuture<List<Boolean>> in(Shard shard, LayoutVersion layout, List<String> ids);
    }
}
