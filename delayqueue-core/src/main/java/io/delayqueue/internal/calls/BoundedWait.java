// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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

    /** For calls of this store. */
    public static BoundedWait of(TaskStore store) {
        return new BoundedWait(store.callTimeout());
    }

    /** @param what the call, for messages: names the queue, and the id if there is one */
    public <T> T answer(CompletableFuture<T> call, String what) {
        return answer(call, () -> late(what));
    }

    /** @param late made when the time is over; says whether the call may have run */
    public <T> T answer(CompletableFuture<T> call, Supplier<? extends DelayQueueException> late) {
        return StoreAnswers.await(call, limitNanos, late);
    }

    /**
     * The same for several calls in a row, each of which has the time of one.
     *
     * @param turns is told of each
     */
    public <T> T answer(CompletableFuture<T> all, CallsInTurn turns, String what) {
        if (!awaitDone(all, turns)) {
            throw late(what);
        }
        return StoreAnswers.await(all);
    }

    /**
     * Waits until all have ended in any way, or none was answered for longer than a call may take. Answers whether they
     * have.
     */
    public boolean awaitDone(CompletableFuture<?> all, CallsInTurn turns) {
        long left = limitNanos - turns.waitedNanos();
        while (left > 0 && !StoreAnswers.awaitDone(all, left)) {
            left = limitNanos - turns.waitedNanos();
        }
        return all.isDone();
    }

    private static TaskStoreTimeoutException late(String what) {
        return new TaskStoreTimeoutException(
                what + ": no answer in time (delayqueue.redis.command-timeout); the call may or may not have run",
                true,
                null);
    }
}
