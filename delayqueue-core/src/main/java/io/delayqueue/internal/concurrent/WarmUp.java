// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does ahead, beside the start of an application, what its first task would otherwise wait for. What fails is passed
 * over: whoever needs it meets the same failure. The one daemon thread ends when nothing is left to do.
 */
public final class WarmUp {

    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), NamedThreads.HOUSEKEEPING);

    public WarmUp() {
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a step after those before it. Returns at once, and throws nothing.
     *
     * @return whether it will be run; it will not when there is no thread to be had
     */
    public boolean run(Runnable step) {
        try {
            thread.execute(() -> attempt(step));
            return true;
        } catch (OutOfMemoryError ex) {
            Guard.tell(() -> log.debug("There is no thread for what could be done ahead", ex));
            return false;
        }
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (Throwable ex) {
            Guard.tell(() -> log.debug("What could have been done ahead was not", ex));
        }
    }
}
