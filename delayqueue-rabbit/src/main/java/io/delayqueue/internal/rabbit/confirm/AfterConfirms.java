// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

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
public final class AfterConfirms {

    private static final Logger log = LoggerFactory.getLogger(AfterConfirms.class);
    private static final Duration NO_THREAD_PAUSE = Duration.ofMillis(100);

    private final Executor threads;
    private final Scheduler timer;
    private volatile boolean withoutThreads;

    /**
     * @param threads must not queue behind what may block. What it refuses is run where the answer came in
     * @param timer tells when the time for confirms is over
     */
    public AfterConfirms(Executor threads, Scheduler timer) {
        this.threads = threads;
        this.timer = timer;
    }

    /**
     * Completes the future when the time has passed, and runs a step when it is complete.
     *
     * @return false where that cannot be arranged; then the step is not run
     */
    public boolean follow(CompletableFuture<Void> over, Duration limit, Runnable step) {
        return Guard.run(log, "A worker waits for its confirms", () -> {
            Scheduler.Scheduled timeout = timer.after(limit, () -> timeUp(over));
            over.thenRun(() -> {
                timeout.cancel();
                runElsewhere(step);
            });
        });
    }

    /**
     * Completes the future on another thread than the timer's, or later if there is none: the end of a batch may block,
     * and the timer must go on, because it frees threads that hang in a write.
     */
    private void timeUp(CompletableFuture<Void> over) {
        try {
            threads.execute(() -> over.complete(null));
        } catch (Throwable ex) {
            if (!over.isDone()) {
                timer.after(NO_THREAD_PAUSE, () -> timeUp(over));
            }
        }
    }

    /**
     * Runs a step on another thread than the calling one, which may read the connection, unless there is no other.
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
