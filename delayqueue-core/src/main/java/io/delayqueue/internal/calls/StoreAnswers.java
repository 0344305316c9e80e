// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Waits for the store on the caller's thread and throws what the store threw. An interrupt does not end the waiting.
 */
public final class StoreAnswers {

    private StoreAnswers() {}

    /**
     * Returns the store's answer. The store answers or fails within its command time-out; for threads of the library,
     * which rely on that, and for calls that have ended. The application's threads wait by {@link BoundedWait}.
     *
     * @throws DelayQueueException as the store failed; the caller's stack is added as suppressed
     */
    public static <T> T await(CompletableFuture<T> call) {
        try {
            return call.join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof RuntimeException cause) {
                cause.addSuppressed(new Throwable("called from here"));
                throw cause;
            }
            throw ex;
        }
    }

    /**
     * Returns the store's answer, or throws when the time is over, whatever other threads do; for the application's
     * threads.
     *
     * @param late made when the time is over
     * @throws DelayQueueException as the store failed, with the caller's stack as suppressed; or the one for late calls
     */
    public static <T> T await(CompletableFuture<T> call, long nanos, Supplier<? extends DelayQueueException> late) {
        if (!awaitDone(call, nanos)) {
            throw late.get();
        }
        return await(call);
    }

    /** Waits until the call has ended in any way, but not longer than this. Answers whether it has. */
    public static boolean awaitDone(CompletableFuture<?> call, long nanos) {
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
}
