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
 * Waits for the answer to a call on the caller's thread, and gives up by itself: a call ends in time even if no other
 * thread does anything. What the store or a timer says at the time-out knows more, so that this comes a little later.
 */
public final class BoundedWait {

    /** After the time-out of a call. */
    static final Duration SLACK = Duration.ofMillis(250);

    private final long limitNanos;

    /** @param callTimeout within which a call is answered or fails */
    public BoundedWait(Duration callTimeout) {
        this.limitNanos = callTimeout.plus(SLACK).toNanos();
    }

    /** @param what the call, for messages: names the queue, and the id if there is one */
    public <T> T answer(CompletableFuture<T> call, String what) {
        return answer(call, () -> late(what));
    }

    /** @param late made when the time is over; says whether the call may have run */
    public <T> T answer(CompletableFuture<T> call, Supplier<? extends DelayQueueException> late) {
        if (!awaitDone(call, limitNanos)) {
            throw late.get();
        }
        return StoreAnswers.await(call);
    }

    /**
     * The same for several calls in a row, each of which has the time of one.
     *
     * @param progress is told of each
     */
    public <T> T answer(CompletableFuture<T> all, CallProgress progress, String what) {
        if (!awaitDone(all, progress)) {
            throw late(what);
        }
        return StoreAnswers.await(all);
    }

    /**
     * Waits until all have ended in any way, or none was answered for longer than a call may take. Answers whether they
     * have.
     */
    public boolean awaitDone(CompletableFuture<?> all, CallProgress progress) {
        long left = limitNanos - progress.waitedNanos();
        while (left > 0 && !awaitDone(all, left)) {
            left = limitNanos - progress.waitedNanos();
        }
        return all.isDone();
    }

    /** Waits until the call has ended in any way, or takes too long. Returns whether it has ended. */
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

    /** Returns the error of a call that was not answered in time. */
    public static TaskStoreTimeoutException late(String what) {
        return new TaskStoreTimeoutException(
                what + ": no answer in time (delayqueue.redis.command-timeout); the call may or may not have run",
                true,
                null);
    }
}
