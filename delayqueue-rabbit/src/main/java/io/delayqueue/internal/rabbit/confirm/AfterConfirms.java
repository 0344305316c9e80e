// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Timer and threads for batches that no worker waits for. Thread-safe. */
public final class AfterConfirms {

    private static final Logger log = LoggerFactory.getLogger(AfterConfirms.class);
    private static final Duration NO_THREAD_PAUSE = Duration.ofMillis(100);

    private final Executor threads;
    private final Scheduler timer;
    private volatile boolean withoutThreads;

    /**
     * @param threads executor that must not queue a step behind a blocking one. A rejected step runs on the calling
     *     thread
     * @param timer timer for the end of the wait
     */
    public AfterConfirms(Executor threads, Scheduler timer) {
        this.threads = threads;
        this.timer = timer;
    }

    /**
     * Completes the future after the limit, and runs the step as soon as the future is complete.
     *
     * @return {@code false} if the timer refuses; the step then does not run
     */
    public boolean follow(CompletableFuture<Void> over, Duration limit, Runnable step) {
        return Guard.run(log, "Could not end a batch in the background; its worker waits for the confirms", () -> {
            Scheduler.Scheduled timeout = timer.after(limit, () -> timeUp(over));
            over.thenRun(() -> {
                timeout.cancel();
                runElsewhere(step);
            });
        });
    }

    /**
     * Completes the future on another thread, or later if there is none. The end of a batch may block, but the timer
     * must not: it frees threads that hang in a write.
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
     * Runs a step on another thread, because the calling thread may be the reader thread of the connection. If there is
     * no other thread, runs the step here.
     */
    private void runElsewhere(Runnable step) {
        try {
            threads.execute(step);
            withoutThreads = false;
        } catch (Throwable ex) {
            if (!withoutThreads) {
                withoutThreads = true;
                Guard.tell(() -> log.warn(
                        "No other thread is available, so batches end on the reader thread of the connection: {}",
                        ex.toString()));
            }
            step.run();
        }
    }
}
