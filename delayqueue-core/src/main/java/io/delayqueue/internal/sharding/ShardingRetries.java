// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls with the current sharding. Repeats a call, within its time, if a shard reports a newer sharding or a task
 * is migrating. Non-blocking; futures complete on a thread of the driver or of the timer.
 *
 * @param patience how long to repeat a call
 * @param threads threads that repeat calls after a pause and enforce time-outs
 */
record ShardingRetries(Shardings shardings, Duration patience, Scheduler threads) {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    /** Returns the deadline of a call that starts now, by {@link System#nanoTime}. */
    long deadline() {
        return System.nanoTime() + patience.toNanos();
    }

    /**
     * Makes an attempt with the current sharding, and repeats it while its result is null or the sharding is outdated.
     * At the deadline, still waits for calls in progress.
     */
    <R> CompletableFuture<R> again(String queue, Attempt<R> attempt) {
        Retry<R> retry = new Retry<>(queue, attempt, deadline());
        retry.go();
        return retry.result;
    }

    /**
     * Makes attempts like {@link #again}, but fails at the deadline even if calls are in progress, because several
     * calls in sequence may take longer.
     */
    <R> CompletableFuture<R> againUntil(long deadline, String queue, Attempt<R> attempt) {
        Retry<R> retry = new Retry<>(queue, attempt, deadline);
        CompletableFuture<R> result = retry.result;
        retry.go();
        if (!result.isDone()) {
            Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            Scheduler.Scheduled end = threads.after(left, retry::giveUpLate);
            result.whenComplete((answer, error) -> end.cancel());
        }
        return result;
    }

    /** One attempt with one sharding. */
    @FunctionalInterface
    interface Attempt<R> extends Function<Sharding, CompletableFuture<@Nullable R>> {}

    private enum Stage {
        /** The call waits for a sharding; nothing was sent. */
        WAITS,
        BEGUN,
        /** The call ended before anything was sent. */
        OVER
    }

    private final class Retry<R> {

        private final String queue;
        private final Attempt<R> attempt;
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private final long deadline;
        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITS);
        private volatile boolean metAMigration;

        Retry(String queue, Attempt<R> attempt, long deadline) {
            this.queue = queue;
            this.attempt = attempt;
            this.deadline = deadline;
        }

        /** Starts the next attempt. Handles every failure, because a caller waits for the result. */
        void go() {
            if (result.isDone()) {
                return;
            }
            try {
                Sharding sharding = shardings.of(queue);
                if (sharding.isUnknown()) {
                    readFirst();
                } else {
                    under(sharding);
                }
            } catch (Throwable ex) {
                result.completeExceptionally(ex);
            }
        }

        private void readFirst() {
            shardings.refresh(queue).whenComplete((read, error) -> {
                if (error == null) {
                    Guard.orFail(result, () -> under(read));
                } else {
                    result.completeExceptionally(Causes.of(error));
                }
            });
        }

        /** Makes an attempt, unless the caller has been told that nothing was sent. */
        private void under(Sharding sharding) {
            boolean begins = stage.compareAndSet(Stage.WAITS, Stage.BEGUN) || stage.get() == Stage.BEGUN;
            if (!begins || result.isDone()) {
                return;
            }
            CompletableFuture<@Nullable R> attempted;
            try {
                attempted = attempt.apply(sharding);
            } catch (Throwable ex) {
                attempted = CompletableFuture.failedFuture(ex);
            }
            attempted.whenComplete((answer, error) -> Guard.orFail(result, () -> answered(answer, error)));
        }

        private void answered(@Nullable R answer, @Nullable Throwable error) {
            Throwable cause = (error == null) ? null : Causes.of(error);
            if (cause instanceof ShardingChangedException changed) {
                changed(changed);
            } else if (cause instanceof TaskMigratingException) {
                later(cause);
            } else if (cause != null) {
                result.completeExceptionally(cause);
            } else if (answer == null) {
                later(null);
            } else {
                result.complete(answer);
            }
        }

        private void changed(ShardingChangedException changed) {
            Sharding newer;
            try {
                newer = Sharding.parse(changed.sharding());
            } catch (IllegalArgumentException ex) {
                result.completeExceptionally(new TaskStoreException(
                        "Queue '" + queue
                                + "': a newer version of this library has changed its sharding to a "
                                + "format that this version cannot read; part of the call may have taken effect",
                        true,
                        changed));
                return;
            }
            shardings.adopt(queue, newer);
            if (System.nanoTime() - deadline < 0) {
                go();
            } else {
                giveUp(changed);
            }
        }

        private void later(@Nullable Throwable cause) {
            metAMigration = true;
            if (System.nanoTime() + PAUSE_NANOS - deadline >= 0) {
                giveUp(cause);
                return;
            }
            threads.after(Duration.ofNanos(PAUSE_NANOS), this::go);
        }

        void giveUpLate() {
            if (metAMigration) {
                giveUp(null);
            } else if (stage.compareAndSet(Stage.WAITS, Stage.OVER)) {
                result.completeExceptionally(new TaskStoreUnavailableException(
                        "Queue '" + queue
                                + "': Redis cannot be reached. The queue's sharding could not be read in"
                                + " time (delayqueue.redis.command-timeout); nothing was sent",
                        false,
                        null));
            } else {
                result.completeExceptionally(BoundedWait.late("Queue '" + queue + "'"));
            }
        }

        private void giveUp(@Nullable Throwable cause) {
            result.completeExceptionally(new TaskStoreUnavailableException(
                    "Queue '" + queue
                            + "': its number of shards is being changed, and a task of this call was migrating "
                            + "for longer than a call may take, for example because the migrating process died. "
                            + "Repeat the call",
                    true,
                    cause));
        }
    }
}
