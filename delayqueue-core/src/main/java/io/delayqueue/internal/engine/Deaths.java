// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.Throttle;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports dead tasks to the application, one after the other, on a separate thread. If the application is slow, a
 * limited number of reports wait and further ones are dropped. Thread-safe.
 */
final class Deaths implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Deaths.class);

    static final int MOST_WAITING = 10_000;

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final @Nullable Consumer<? super TaskDeath> listener;
    private final BackgroundWorker thread;
    private final AtomicLong leftOut = new AtomicLong();
    private final Throttle lines = new Throttle(Duration.ofMinutes(1));

    /** @param listener application code, which may block and throw; {@code null} for none */
    Deaths(@Nullable Consumer<? super TaskDeath> listener, Scheduler scheduler) {
        this.listener = listener;
        this.thread = scheduler.worker();
    }

    /** Reports a death. Does not block and never throws. */
    void tell(TaskDeath death) {
        Consumer<? super TaskDeath> told = listener;
        if (told == null) {
            return;
        }
        if (thread.waiting() >= MOST_WAITING) {
            leftOut.incrementAndGet();
            return;
        }
        try {
            thread.execute(() -> tellNow(told, death));
        } catch (RejectedExecutionException ex) {
            log.debug("Queue '{}': the application stopped before a dead task was reported", death.queue());
        } catch (Throwable ex) {
            Guard.tell(
                    () -> log.warn("Queue '{}': could not notify the application of a dead task", death.queue(), ex));
        }
    }

    private void tellNow(Consumer<? super TaskDeath> told, TaskDeath death) {
        long missed = leftOut.getAndSet(0);
        if (missed > 0) {
            Guard.tell(() -> log.warn(
                    "{} dead tasks were not reported to the application's listeners, because {} reports were already "
                            + "queued",
                    missed,
                    MOST_WAITING));
        }
        try {
            told.accept(death);
        } catch (Throwable ex) {
            // One line per minute, because a failing listener usually fails for all dead tasks.
            if (lines.passes()) {
                Guard.tell(() -> log.warn("Queue '{}': a listener for dead tasks failed", death.queue(), ex));
            }
        }
    }

    /** Waits up to a second for the waiting reports to be made. The rest are made afterwards. */
    @Override
    public void close() {
        thread.finish();
        try {
            if (!thread.awaitEnd(PATIENCE)) {
                log.debug("Still reporting dead tasks to the application, although it has stopped");
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
