// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.store.StoreCalls;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Waits for the answer to a call on the caller's thread, and gives up by itself: a call ends in time even if no other thread
 * does anything. What the store or a timer says at the time-out knows more, so that this comes a little later.
 */
final class BoundedWait {

    /** After the time-out of a call. */
    static final Duration SLACK = Duration.ofMillis(250);

    private final long limitNanos;

    /** @param callTimeout within which a call is answered or fails */
    BoundedWait(Duration callTimeout) {
        this.limitNanos = callTimeout.plus(SLACK).toNanos();
    }

    long limitNanos() {
        return limitNanos;
    }

    /** @param what the call, for messages: names the queue and the id */
    <T> T answer(CompletableFuture<T> call, String what) {
        return answer(
                call,
                () -> new TaskStoreTimeoutException(
                        what
                                + ": no answer in time (delayqueue.redis.command-timeout); the call may or may not have run",
                        true,
                        null));
    }

    /** @param late made when the time is over; says whether the call may have run */
    <T> T answer(CompletableFuture<T> call, Supplier<? extends DelayQueueException> late) {
        return StoreCalls.await(call, limitNanos, late);
    }
}
