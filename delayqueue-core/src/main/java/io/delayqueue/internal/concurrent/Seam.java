// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Where code is called that may throw anything: code of the application, a driver, or our own when there is no memory
 * or no thread to be had for a moment. Somebody waits for what follows such a call, so it follows whatever was thrown:
 * exceptions, checked ones that slipped through, and errors.
 */
public final class Seam {

    private Seam() {}

    /**
     * Runs a step. What it throws is logged as an error, and no more.
     *
     * @param failed what to say then
     * @return whether nothing was thrown
     */
    public static boolean run(Logger log, String failed, Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable ex) {
            tell(() -> log.error(failed, ex));
            return false;
        }
    }

    /** Runs a step; what it throws is what the future fails with, unless it is complete. */
    public static void orFail(CompletableFuture<?> future, Runnable step) {
        try {
            step.run();
        } catch (Throwable ex) {
            future.completeExceptionally(ex);
        }
    }

    /** Makes a call; what is thrown instead of an answer is what the answer fails with. */
    public static <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** Logs, unless the log itself fails: what comes after it is more important. */
    public static void tell(Runnable logging) {
        try {
            logging.run();
        } catch (Throwable ex) {
            // there is nobody left to tell
        }
    }
}
