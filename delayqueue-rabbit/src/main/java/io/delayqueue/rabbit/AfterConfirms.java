// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timer and the threads for batches whose confirms no worker waits for: it decides when a batch is over and where its end
 * is run. What the confirms mean for the tasks is for {@link BrokerVerdicts}. Safe for use by many threads.
 */
final class AfterConfirms {

    private static final Logger log = LoggerFactory.getLogger(AfterConfirms.class);

    private final Executor threads;
    private final Scheduler timer;
    private volatile boolean withoutThreads;

    /**
     * @param threads must not queue behind what may block. What it refuses is run where the answer came in
     * @param timer tells when the time for confirms is over
     */
    AfterConfirms(Executor threads, Scheduler timer) {
        this.threads = threads;
        this.timer = timer;
    }

    /**
     * Completes the future when the time has passed, and runs a step when it is complete.
     *
     * @return false where that cannot be arranged; then the step is not run
     */
    boolean follow(CompletableFuture<Void> over, Duration limit, Runnable step) {
        return Guard.run(log, "A worker waits for its confirms", () -> {
            Scheduler.Scheduled timeout = timer.after(limit, () -> over.complete(null));
            over.thenRun(() -> {
                timeout.cancel();
                runElsewhere(step);
            });
        });
    }

    /**
     * Runs on another thread than the calling one, which reads the connection or is the timer, unless there is no
     * other.
     */
    private void runElsewhere(Runnable step) {
        try {
            threads.execute(step);
            withoutThreads = false;
        } catch (Throwable ex) {
            if (!withoutThreads) {
                withoutThreads = true;
                Guard.tell(() -> log.warn(
                        "Batches end on the thread that reads the connection, as there is no other: {}",
                        ex.toString()));
            }
            step.run();
        }
    }
}
