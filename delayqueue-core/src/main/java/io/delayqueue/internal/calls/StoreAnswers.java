// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for the store on the caller's thread and throws the store's exceptions. Not interruptible. */
public final class StoreAnswers {

    private StoreAnswers() {}

    /**
     * Returns the store's reply. The store replies or fails within its command time-out. Call this only on library
     * threads or for calls that are already complete. Application threads use {@link BoundedWait}.
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
