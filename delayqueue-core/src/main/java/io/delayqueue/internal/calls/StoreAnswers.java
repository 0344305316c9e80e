// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits on the caller's thread for the store, and throws the store's exceptions. Not interruptible. */
public final class StoreAnswers {

    private StoreAnswers() {}

    /**
     * Returns the store's reply, or throws within the store's command time-out. Call this only on threads of the
     * library, or for a call that is complete. On threads of the application use {@link BoundedWait}.
     *
     * @throws DelayQueueException the store's exception; the caller's stack is added as suppressed
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
