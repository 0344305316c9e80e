// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.RedriveResult;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.ShardRouter;
import io.delayqueue.store.RedriveRequest;
import io.delayqueue.store.Redriven;
import io.delayqueue.store.Shard;
import io.delayqueue.store.StoreCalls;
import io.delayqueue.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Redrives and discards dead tasks by their ids. A task is in the shard of its routing key, which is its id unless it was
 * scheduled with another; so each id is looked for in its own shard first and then in the others.
 */
final class DeadTaskMoves {

    private final TaskStore store;

    DeadTaskMoves(TaskStore store) {
        this.store = store;
    }

    RedriveResult redrive(QueueSettings queue, Collection<String> ids) {
        List<Instant> lastDue = new ArrayList<>();
        List<String> skipped = inShards(queue, ids, (shard, batch) -> {
            Redriven redriven = StoreCalls.await(store.redrive(shard, RedriveRequest.now(batch)));
            Instant last = redriven.lastDueAt();
            if (last != null) {
                lastDue.add(last);
            }
            return redriven.verdicts();
        });
        return new RedriveResult(
                new LinkedHashSet<>(ids).size() - skipped.size(),
                skipped,
                lastDue.stream().max(Instant::compareTo));
    }

    /** Returns how many were discarded. */
    long discard(QueueSettings queue, Collection<String> ids) {
        List<String> skipped = inShards(queue, ids, (shard, batch) -> StoreCalls.await(store.discard(shard, batch)));
        return new LinkedHashSet<>(ids).size() - skipped.size();
    }

    /** Returns the ids that no shard held. */
    private static List<String> inShards(
            QueueSettings queue, Collection<String> ids, BiFunction<Shard, List<String>, List<Boolean>> call) {
        List<String> missing = new ArrayList<>(new LinkedHashSet<>(ids));
        for (int step = 0; step < queue.shards() && !missing.isEmpty(); step++) {
            Map<Integer, List<String>> byShard = new TreeMap<>();
            for (String id : missing) {
                int shard = (ShardRouter.shardOf(id, queue.shards()) + step) % queue.shards();
                byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(id);
            }
            List<String> stillMissing = new ArrayList<>();
            byShard.forEach((shard, group) -> {
                for (int from = 0; from < group.size(); from += TaskStore.MAX_BATCH) {
                    List<String> batch = group.subList(from, Math.min(from + TaskStore.MAX_BATCH, group.size()));
                    List<Boolean> found = call.apply(new Shard(queue.name(), shard), batch);
                    for (int i = 0; i < batch.size(); i++) {
                        if (!found.get(i)) {
                            stillMissing.add(batch.get(i));
                        }
                    }
                }
            });
            missing = stillMissing;
        }
        return missing;
    }
}
