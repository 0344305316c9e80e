// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

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
}
