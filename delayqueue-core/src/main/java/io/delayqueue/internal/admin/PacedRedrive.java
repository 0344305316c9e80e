// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.admin.RedriveResult;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallProgress;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardRedriveRequest;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Redrives all dead tasks of a queue at a pace, by due times that are equally far apart. How far they reach is kept in
 * each shard, so that a call that follows, or runs at the same time in another process, goes on behind them.
 */
final class PacedRedrive {

    private static final int MICROS_PER_SECOND = 1_000_000;

    private final TaskStore store;
    private final ShardedTasks tasks;
    private final BoundedWait wait;

    PacedRedrive(TaskStore store, ShardedTasks tasks, BoundedWait wait) {
        this.store = store;
        this.tasks = tasks;
        this.wait = wait;
    }

    RedriveResult run(List<Shard> shards, int perSecond) {
        if (perSecond < 1 || perSecond > MICROS_PER_SECOND) {
            throw new IllegalArgumentException("Dead tasks are redriven at a pace of 1 to " + MICROS_PER_SECOND
                    + " per second, but " + perSecond + " was asked for");
        }
        Run run = new Run((MICROS_PER_SECOND + perSecond - 1) / perSecond);
        for (Shard shard : shards) {
            ShardStats stats = wait.answer(store.shards().stats(shard), what(shard));
            run.freeFromMicros = Math.max(run.freeFromMicros, stats.paceFreeFromMicros());
            run.dead.add(new DeadInShard(shard, stats.dead()));
        }
        while (!run.dead.isEmpty()) {
            run.dead.removeIf(shard -> !run.redriveBatchOf(shard));
        }
        return new RedriveResult(run.redriven, run.skipped, Optional.ofNullable(run.lastDueAt));
    }

    private ShardRedrive redrive(Shard shard, ShardRedriveRequest request) {
        CallProgress progress = new CallProgress();
        return wait.answer(tasks.redrive(shard, request, progress), progress, what(shard));
    }

    private static String what(Shard shard) {
        return "Queue '" + shard.queue() + "', redrive all";
    }

    /** What is left to redrive of one shard: as many as were dead when the call began. */
    private static final class DeadInShard {

        private final Shard shard;
        private long left;
        private Position after = Position.from(Instant.EPOCH);

        DeadInShard(Shard shard, long left) {
            this.shard = shard;
            this.left = left;
        }
    }

    private final class Run {

        private final long gapMicros;
        private final List<DeadInShard> dead = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();
        private long freeFromMicros;
        private long redriven;
        private @Nullable Instant lastDueAt;

        Run(long gapMicros) {
            this.gapMicros = gapMicros;
        }

        /** Returns whether the shard may hold more. */
        boolean redriveBatchOf(DeadInShard in) {
            int limit = (int) Math.min(TaskStore.MAX_BATCH, in.left);
            if (limit == 0) {
                return false;
            }
            Page page = wait.answer(
                    store.shards().page(in.shard, PageRequest.dead(limit).after(in.after)), what(in.shard));
            if (page.tasks().isEmpty()) {
                return false;
            }
            List<String> ids = page.tasks().stream().map(StoredTask::id).toList();
            ShardRedriveRequest request = new ShardRedriveRequest(ids, gapMicros, freeFromMicros);
            note(ids, redrive(in.shard, request));
            in.left -= ids.size();
            Position next = page.next();
            if (next == null) {
                return false;
            }
            in.after = next;
            return true;
        }

        private void note(List<String> ids, ShardRedrive answer) {
            for (int i = 0; i < ids.size(); i++) {
                if (answer.verdicts().get(i)) {
                    redriven++;
                } else {
                    skipped.add(ids.get(i));
                }
            }
            freeFromMicros = answer.freeFromMicros();
            if (answer.lastDueAt() != null) {
                lastDueAt = answer.lastDueAt();
            }
        }
    }
}
