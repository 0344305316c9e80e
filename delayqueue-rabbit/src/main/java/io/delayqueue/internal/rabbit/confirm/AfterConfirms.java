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
 * The timer and threads for batches that no worker waits for. Decides when a batch is over and on which thread it ends.
 * {@code BrokerVerdicts} decides what the confirms mean for the tasks. Thread-safe.
 */
public final class AfterConfirms {

    private static final Logger log = LoggerFactory.getLogger(AfterConfirms.class);
    private static final Duration NO_THREAD_PAUSE = Duration.ofMillis(100);

    private final Executor threads;
    private final Scheduler timer;
    private volatile boolean withoutThreads;

    /**
     * @param threads the executor; must not queue tasks behind blocking ones. Tasks that it rejects run on the thread
     *     that received the answer
     * @param timer timer that ends the wait for confirms
     */
    public AfterConfirms(Executor threads, Scheduler timer) {
        this.threads = threads;
        this.timer = timer;
    }

    /**
     * Completes the future when the time is up, and runs the step as soon as the future is complete.
     *
     * @return {@code false} if this cannot be arranged; then the step is not run
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
     * Completes the future on a thread other than the timer's, or later if there is none. The end of a batch may block,
     * and the timer must continue, because it frees threads that hang in a write.
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
     * Runs a step on another thread, because the calling thread may be the one that reads the connection. If there is
     * no other thread, runs it here.
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
