// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

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
 * Schedules the many tasks of one caller, with a batcher of its own for each shard. All shards are written to at the same
 * time.
 *
 * <p>The caller waits as long as calls are answered. When none was answered for longer than one may take, the tasks without
 * an answer are reported as late, and no more are sent.
 */
final class BulkSchedule {

    private final Function<IntConsumer, CallBatcher<PendingSchedule>> batchers;
    private final BoundedWait wait;

    /** @param batchers makes one that tells how many tasks are done */
    BulkSchedule(Function<IntConsumer, CallBatcher<PendingSchedule>> batchers, BoundedWait wait) {
        this.batchers = batchers;
        this.wait = wait;
    }

    /** Sends the tasks and waits. Answers in their order. */
    List<ChangeResult> send(List<PendingSchedule> tasks) {
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
