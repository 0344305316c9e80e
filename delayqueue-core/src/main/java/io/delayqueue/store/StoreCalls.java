// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for the store on the caller's thread and throws what the store threw. */
public final class StoreCalls {

    private StoreCalls() {}

    /**
     * Returns the store's answer. The store answers or fails within its command time-out, so this needs none of its own.
     *
     * @throws io.delayqueue.DelayQueueException as the store failed; the caller's stack is added as suppressed
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
