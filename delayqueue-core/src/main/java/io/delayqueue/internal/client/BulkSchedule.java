// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallProgress;
import io.delayqueue.internal.concurrent.CallBatcher;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.transaction.ChangeResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * Schedules the many tasks of one caller, with its own batcher for each shard. Writes to all shards concurrently.
 *
 * <p>The caller keeps waiting as long as replies keep arriving. If no reply arrives within the time-out of a call, the
 * remaining tasks are reported as timed out, and no more tasks are sent.
 */
final class BulkSchedule {

    private BulkSchedule() {}

    /**
     * Sends the tasks and waits. Returns the results in the order of the tasks.
     *
     * @param batchers creates a batcher, which reports the number of completed tasks
     */
    static List<ChangeResult> send(
            List<PendingSchedule> tasks,
            Function<IntConsumer, CallBatcher<PendingSchedule>> batchers,
            BoundedWait wait) {
        AtomicInteger left = new AtomicInteger(tasks.size());
        CompletableFuture<Void> all = new CompletableFuture<>();
        CallProgress progress = new CallProgress();
        IntConsumer answered = done -> {
            progress.made();
            if (left.addAndGet(-done) == 0) {
                all.complete(null);
            }
        };
        Map<Shard, List<PendingSchedule>> byShard = new LinkedHashMap<>();
        tasks.forEach(task -> byShard.computeIfAbsent(task.shard(), shard -> new ArrayList<>())
                .add(task));
        for (List<PendingSchedule> ofShard : byShard.values()) {
            batchers.apply(answered).offerAll(ofShard);
        }
        if (!tasks.isEmpty()) {
            wait.awaitDone(all, progress);
        }
        return tasks.stream().map(PendingSchedule::result).toList();
    }
}
