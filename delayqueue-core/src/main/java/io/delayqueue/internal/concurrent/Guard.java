// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Calls code that may throw anything: application code, a driver, or the library's own code when memory or threads run
 * out. The work that follows continues in any case, even after an {@link Error}.
 */
public final class Guard {

    private Guard() {}

    /**
     * Runs a step and logs anything that it throws as an error.
     *
     * @param failed the message to log
     * @return whether the step completed normally
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

    /**
     * Returns the result of a call. If it throws, logs an error and returns the other value.
     *
     * @param failed the message to log
     */
    public static <T> T or(Logger log, String failed, T otherwise, Supplier<T> call) {
        try {
            return call.get();
        } catch (Throwable ex) {
            tell(() -> log.error(failed, ex));
            return otherwise;
        }
    }

    /** Runs a step. If the step throws, fails the future with the exception, unless the future is complete. */
    public static void orFail(CompletableFuture<?> future, Runnable step) {
        try {
            step.run();
        } catch (Throwable ex) {
            future.completeExceptionally(ex);
        }
    }

    /** Makes a call. If the call throws, returns a future that has failed with the exception. */
    public static <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** Logs. Ignores a failure of the logging system, because the code that follows is more important. */
    public static void tell(Runnable logging) {
        try {
            logging.run();
        } catch (Throwable ex) {
            // There is no way left to report it.
        }
    }
}
