// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Seam;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when the time of a handler is over, on one thread for all handlers of an application. The thread is made when it is
 * needed and ends when it was idle for ten seconds, so that nothing has to be closed.
 */
final class HandlerTimer {

    private static final Logger log = LoggerFactory.getLogger(HandlerTimer.class);
    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, NamedThreads.daemons("delayqueue-handler-timer-"));

    HandlerTimer() {
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /** Runs a step, which must not block, when a time has passed. */
    Future<?> after(Duration time, Runnable step) {
        return timer.schedule(
                () -> Seam.run(log, "The time of a handler could not be ended", step),
                time.toNanos(),
                TimeUnit.NANOSECONDS);
    }
}
