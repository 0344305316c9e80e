// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.SerialWorker;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports dead tasks to the application, one after the other on a thread of its own. A bounded number wait while the
 * application is slow; further ones are dropped. Safe for use by many threads.
 */
final class Deaths implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Deaths.class);

    /** Maximum number of waiting reports. */
    static final int MOST_WAITING = 10_000;

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long LINE_NANOS = Duration.ofMinutes(1).toNanos();

    private final @Nullable Consumer<? super TaskDeath> listener;
    private final SerialWorker thread;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong leftOut = new AtomicLong();

    /** These two are the thread's own. */
    private long failures;

    private @Nullable Long lastLine;

    /** @param listener code of the application, which may block and throw; {@code null} for none */
    Deaths(@Nullable Consumer<? super TaskDeath> listener, Scheduler scheduler) {
        this.listener = listener;
        this.thread = scheduler.worker();
    }

    /** Reports a death. Does not block and throws nothing. */
    void tell(TaskDeath death) {
        Consumer<? super TaskDeath> told = listener;
        if (told == null) {
            return;
        }
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            leftOut.incrementAndGet();
            return;
        }
        try {
            thread.execute(() -> tellNow(told, death));
        } catch (RejectedExecutionException ex) {
            log.debug("Queue '{}': the application has stopped before a death was reported", death.queue());
        } catch (Throwable ex) {
            waiting.decrementAndGet();
            Guard.tell(
                    () -> log.warn("Queue '{}': a death could not be reported to the application", death.queue(), ex));
        }
    }

    private void tellNow(Consumer<? super TaskDeath> told, TaskDeath death) {
        waiting.decrementAndGet();
        long missed = leftOut.getAndSet(0);
        if (missed > 0) {
            Guard.tell(() -> log.warn(
                    "The application was not told of {} deaths of tasks, because {} others waited for its listeners",
                    missed,
                    MOST_WAITING));
        }
        try {
            told.accept(death);
        } catch (Throwable ex) {
            failed(death, ex);
        }
    }

    /** Logs one line a minute: a listener that fails for one of many dead tasks fails for all. */
    private void failed(TaskDeath death, Throwable error) {
        failures++;
        long now = System.nanoTime();
        if (lastLine != null && now - lastLine < LINE_NANOS) {
            return;
        }
        long times = failures;
        lastLine = now;
        failures = 0;
        Guard.tell(() -> log.warn(
                "Queue '{}': a listener failed that was told of a death, {} time(s) since the last such line",
                death.queue(),
                times,
                error));
    }

    /** Continues to report waiting deaths, for up to a second before this returns. */
    @Override
    public void close() {
        thread.finish();
        try {
            if (!thread.awaitEnd(PATIENCE)) {
                log.debug("The application goes on being told of deaths although it has stopped");
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
