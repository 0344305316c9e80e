// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.Due;
import io.delayqueue.admin.RedriveResult;
import io.delayqueue.internal.calls.CallProgress;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Redrives and discards dead tasks by id, each in its shard. While tasks migrate, calls the source shard before the
 * target shard.
 */
public record DeadTaskLookup(TaskStore store, ShardingRetries retries) {

    /**
     * Makes dead tasks live again.
     *
     * @param due due time by id; any number of ids
     * @param diedAt redrives only tasks that died at this time; null for any
     * @param progress records each call and reply
     */
    public CompletableFuture<RedriveResult> redrive(
            String queue, Map<String, Due> due, @Nullable Instant diedAt, CallProgress progress) {
        Queue<Instant> lastDue = new ConcurrentLinkedQueue<>();
        return inShards(queue, due.keySet(), progress, (shard, sharding, batch) -> {
                    Map<String, Due> inShard = new LinkedHashMap<>();
                    batch.forEach(id -> inShard.put(id, Objects.requireNonNull(due.get(id))));
                    return store.dead()
                            .redrive(shard, sharding, inShard, diedAt)
                            .thenApply(redriven -> {
                                Instant last = redriven.lastDueAt();
                                if (last != null) {
                                    lastDue.add(last);
                                }
                                return redriven.verdicts();
                            });
                })
                .thenApply(missing -> new RedriveResult(
                        due.size() - missing.size(),
                        List.copyOf(missing),
                        lastDue.stream().max(Instant::compareTo)));
    }

    /**
     * Deletes dead tasks and returns their number.
     *
     * @param ids any number of ids
     * @param diedAt deletes only tasks that died at this time; null for any
     * @param progress records each call and reply
     */
    public CompletableFuture<Long> discard(
            String queue, Collection<String> ids, @Nullable Instant diedAt, CallProgress progress) {
        Set<String> all = new LinkedHashSet<>(ids);
        DeadCall call = (shard, sharding, batch) -> store.dead().discard(shard, sharding, batch, diedAt);
        return inShards(queue, all, progress, call).thenApply(missing -> (long) all.size() - missing.size());
    }

    /** Makes a change in the shards of the ids. Returns the ids without a task in these shards. */
    private CompletableFuture<Set<String>> inShards(
            String queue, Set<String> ids, CallProgress progress, DeadCall call) {
        Set<String> missing = new LinkedHashSet<>(ids);
        return retries.again(queue, sharding -> {
                    CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
                    for (Batch batch : batches(queue, sharding, sharding.isMigrating() ? ids : missing)) {
                        before = before.thenCompose(ignored -> {
                                    progress.made();
                                    return call.in(batch.shard(), sharding.version(), batch.ids());
                                })
                                .thenAccept(found -> batch.removeFound(found, missing))
                                .whenComplete((ignored, error) -> progress.made());
                    }
                    return before.thenApply(ignored -> true);
                })
                .thenApply(ignored -> missing)
                .exceptionally(error -> {
                    throw TaskFailures.afterAPart(error, missing.size() < ids.size(), "the call changed other tasks");
                });
    }

    /**
     * Divides the ids into batches. While tasks migrate, each id is in two batches, because a process that died may
     * have left a copy of the task in each shard.
     */
    private static List<Batch> batches(String queue, Sharding sharding, Collection<String> ids) {
        List<Batch> batches = new ArrayList<>();
        for (int shards : sharding.counts()) {
            Map<Integer, List<String>> byShard = ids.stream()
                    .collect(Collectors.groupingBy(
                            id -> ShardRouter.shardOf(id, shards), TreeMap::new, Collectors.toList()));
            byShard.forEach((shard, all) -> {
                for (int from = 0; from < all.size(); from += TaskStore.MAX_BATCH) {
                    int to = Math.min(from + TaskStore.MAX_BATCH, all.size());
                    batches.add(new Batch(new Shard(queue, shard), all.subList(from, to)));
                }
            });
        }
        return batches;
    }

    /** The ids for one call. */
    private record Batch(Shard shard, List<String> ids) {

        void removeFound(List<Boolean> found, Set<String> missing) {
            for (int i = 0; i < ids.size(); i++) {
                if (found.get(i)) {
                    missing.remove(ids.get(i));
                }
            }
        }
    }

    /** Changes dead tasks in one shard and returns their ids. */
    private interface DeadCall {

        CompletableFuture<List<Boolean>> in(Shard shard, ShardingVersion sharding, List<String> ids);
    }
}
