// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Waits on the caller's thread for the result of a call. Has its own time limit, so the wait ends on time even if no
 * other thread runs. The limit is slightly longer than the time-outs of the store and of timers, which report better
 * errors.
 */
public final class BoundedWait {

    /** Time that the wait may last beyond the time-out of the call. */
    static final Duration SLACK = Duration.ofMillis(250);

    private final long limitNanos;

    public BoundedWait(Duration callTimeout) {
        this.limitNanos = callTimeout.plus(SLACK).toNanos();
    }

    /** @param what describes the call in messages: the queue, and the id if there is one */
    public <T> T answer(CompletableFuture<T> call, String what) {
        return answer(call, () -> late(what));
    }

    /** @param late creates the exception for a time-out, which says whether the call may have run */
    public <T> T answer(CompletableFuture<T> call, Supplier<? extends DelayQueueException> late) {
        if (!awaitDone(call, limitNanos)) {
            throw late.get();
        }
        return StoreAnswers.await(call);
    }

    /**
     * Waits for several calls that run in sequence. The time-out of a single call applies to each of them.
     *
     * @param progress records each reply
     */
    public <T> T answer(CompletableFuture<T> all, CallProgress progress, String what) {
        if (!awaitDone(all, progress)) {
            throw late(what);
        }
        return StoreAnswers.await(all);
    }

    /**
     * Waits until all calls have ended, successfully or not, or until no reply has arrived for longer than a call may
     * take. Returns whether all calls have ended.
     */
    public boolean awaitDone(CompletableFuture<?> all, CallProgress progress) {
        long left = limitNanos - progress.waitedNanos();
        while (left > 0 && !awaitDone(all, left)) {
            left = limitNanos - progress.waitedNanos();
        }
        return all.isDone();
    }

    /** Waits until the call has ended, successfully or not, or its time is over. Returns whether it has ended. */
    public boolean awaitDone(CompletableFuture<?> call) {
        return awaitDone(call, limitNanos);
    }

    private static boolean awaitDone(CompletableFuture<?> call, long nanos) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    call.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (ExecutionException ex) {
                    return true;
                } catch (TimeoutException ex) {
                    return call.isDone();
                } catch (InterruptedException ex) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the exception for a call that got no reply in time. */
    public static TaskStoreTimeoutException late(String what) {
        return new TaskStoreTimeoutException(
                what
                        + ": Redis did not answer in time (delayqueue.redis.command-timeout); the call may or may not "
                        + "have run",
                true,
                null);
    }
}
