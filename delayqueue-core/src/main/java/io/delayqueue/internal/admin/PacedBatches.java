// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.admin.WaitingTasksResult;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.LivePosition;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WaitingTasks;
import io.delayqueue.internal.store.WaitingTasksDone;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Acts on the waiting tasks of a queue, one batch after the other at a pace, on the thread of the caller. What it has done is
 * nothing that it would do again, so that a call that was broken off goes on when it is made again.
 */
final class PacedBatches {

    private static final int MOST_PER_SECOND = 1_000_000;
    /** A batch is what the pace allows in that part of a second. */
    private static final int BATCHES_PER_SECOND = 10;

    private static final int ROUNDS_WHILE_MIGRATING = 50;
    private static final Duration PAUSE_WHILE_MIGRATING = Duration.ofMillis(50);
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    private final BoundedWait wait;
    private final Action action;
    private final String what;
    private final Instant before;
    private final int perSecond;
    private final long begin = System.nanoTime();
    private long done;
    private long left;

    /**
     * @param what the action, for messages
     * @param before tasks that wait for a moment before this
     */
    PacedBatches(BoundedWait wait, Action action, String what, Instant before, int perSecond) {
        if (perSecond < 1 || perSecond > MOST_PER_SECOND) {
            throw new IllegalArgumentException("Tasks are acted on at a pace of 1 to " + MOST_PER_SECOND
                    + " per second, but " + perSecond + " was asked for");
        }
        this.wait = wait;
        this.action = action;
        this.what = what;
        this.before = before.isAfter(END) ? END : before.isBefore(Instant.EPOCH) ? Instant.EPOCH : before;
        this.perSecond = perSecond;
    }

    /** One batch of one shard. */
    @FunctionalInterface
    interface Action {

        CompletableFuture<WaitingTasksDone> on(Shard shard, WaitingTasks tasks);
    }

    /**
     * Goes through all shards, and again while tasks migrate: what is on its way may be missed where it comes from and where
     * it goes to.
     *
     * @param shards asked before and after each round
     * @param mayMigrate whether tasks may be on their way from shard to shard
     */
    WaitingTasksResult run(Supplier<List<Shard>> shards, BooleanSupplier mayMigrate) {
        boolean settled = false;
        for (int round = 0; !settled && round < ROUNDS_WHILE_MIGRATING && !isInterrupted(); round++) {
            if (round > 0) {
                LockSupport.parkNanos(PAUSE_WHILE_MIGRATING.toNanos());
            }
            List<Shard> all = shards.get();
            boolean stays = !mayMigrate.getAsBoolean();
            goThrough(all);
            settled = stays && !mayMigrate.getAsBoolean() && all.equals(shards.get());
        }
        return new WaitingTasksResult(done, left, settled && !isInterrupted());
    }

    private void goThrough(List<Shard> shards) {
        left = 0;
        for (Shard shard : shards) {
            @Nullable LivePosition next = LivePosition.from(Instant.EPOCH);
            while (next != null && !isInterrupted()) {
                next = batch(shard, next);
            }
        }
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private @Nullable LivePosition batch(Shard shard, LivePosition after) {
        int limit = Math.max(1, Math.min(TaskStore.MAX_BATCH, perSecond / BATCHES_PER_SECOND));
        WaitingTasksDone batch = wait.answer(
                action.on(shard, new WaitingTasks(before, after, limit)), "Queue '" + shard.queue() + "', " + what);
        done += batch.done();
        left += batch.left();
        keepPace();
        return batch.more() ? batch.last() : null;
    }

    /** Waits until so many as were done may have been; less where the thread is interrupted. */
    private void keepPace() {
        long due = begin + (long) ((double) done / perSecond * TimeUnit.SECONDS.toNanos(1));
        for (long pause = due - System.nanoTime(); pause > 0 && !isInterrupted(); pause = due - System.nanoTime()) {
            LockSupport.parkNanos(pause);
        }
    }
}
