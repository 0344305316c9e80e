// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps that may block: now, later or periodically. With one thread, they run one at a time and in order. Its
 * daemon threads end after ten idle seconds, so periodic work occupies no thread between its runs. Exceptions from a
 * step are logged; later steps still run. Thread-safe.
 *
 * <p>If no thread can be created, the step is rejected with the error; a step with a delay waits another second
 * instead. After {@link #close}, steps are rejected with a {@link RejectedExecutionException}. A rejected step never
 * runs.
 */
public final class BackgroundWorker implements Executor, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BackgroundWorker.class);
    private static final long IDLE_SECONDS = 10;
    private static final Duration WITHOUT_THREAD = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final Steps steps = new Steps();
    private final ThreadPoolExecutor threads;

    /** @param most maximum number of threads */
    public BackgroundWorker(Scheduler scheduler, int most, ThreadFactory factory) {
        this.scheduler = scheduler;
        this.threads = new ThreadPoolExecutor(0, most, IDLE_SECONDS, TimeUnit.SECONDS, steps, factory, this::queue);
    }

    /** Queues a step while all threads are busy. */
    private void queue(Runnable step, ThreadPoolExecutor threads) {
        if (threads.isShutdown()) {
            throw new RejectedExecutionException("The worker was closed");
        }
        steps.add(step);
        // All threads may have ended in the meantime, or the worker may have been closed.
        if ((threads.getPoolSize() == 0 || threads.isShutdown()) && threads.remove(step)) {
            threads.execute(step);
        }
    }

    /** Offers a step only to an idle thread. If there is none, the pool creates one, up to its maximum. */
    private static final class Steps extends LinkedTransferQueue<Runnable> {

        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable step) {
            return tryTransfer(step);
        }

        @Override
        public boolean add(Runnable step) {
            return super.offer(step);
        }
    }

    /** Runs a step as soon as a thread is free. */
    @Override
    public void execute(Runnable step) {
        Submission submission = new Submission(step, new AtomicBoolean());
        try {
            threads.execute(submission);
        } catch (Throwable ex) {
            // The executor may throw although it has queued the submission.
            if (submission.withdraw()) {
                throw ex;
            }
        }
    }

    /**
     * Runs a step as soon as a thread is free. If no thread can be created, retries after a second.
     *
     * @throws RejectedExecutionException when this is closed
     */
    public void executeOrRetry(Runnable step) {
        try {
            execute(step);
        } catch (RejectedExecutionException ex) {
            throw ex;
        } catch (Throwable ex) {
            Guard.tell(() -> log.warn("No thread for background work; retrying in {}", WITHOUT_THREAD, ex));
            after(WITHOUT_THREAD, step);
        }
    }

    public void after(Duration delay, Runnable step) {
        if (delay.isZero() || delay.isNegative()) {
            execute(step);
        } else {
            scheduler.after(delay, () -> executeUnlessClosed(step));
        }
    }

    private void executeUnlessClosed(Runnable step) {
        try {
            executeOrRetry(step);
        } catch (RejectedExecutionException ex) {
            log.debug("Dropping a step, because its worker was closed");
        }
    }

    /** Runs a step periodically, the first time after the delay. */
    public Scheduler.Scheduled every(Duration delay, Runnable step) {
        return every(delay, delay, step);
    }

    /** Runs a step periodically. Skips a turn if the previous run has not ended, or if no thread can be created. */
    public Scheduler.Scheduled every(Duration first, Duration delay, Runnable step) {
        Turns turns = new Turns(step);
        turns.timer = scheduler.every(first, delay, turns::next);
        return turns;
    }

    private static void run(Runnable step) {
        Guard.run(log, "A step of background work failed; continuing with others", step);
    }

    /** Returns how many steps wait for a thread. */
    public int waiting() {
        return threads.getQueue().size();
    }

    public boolean isClosed() {
        return threads.isShutdown();
    }

    /** Accepts no more steps. Queued steps still run; scheduled steps are dropped. */
    public void finish() {
        threads.shutdown();
    }

    /** Waits until the last step has ended; call {@link #finish} or {@link #close} first. Returns whether it has. */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        return threads.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Accepts no more steps, drops queued ones and interrupts running ones. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Periodic work, until it is cancelled or its worker closed. */
    private final class Turns implements Scheduler.Scheduled {

        private final Runnable step;
        private final AtomicBoolean underWay = new AtomicBoolean();
        private volatile boolean cancelled;
        private volatile Scheduler.Scheduled timer = () -> {};

        Turns(Runnable step) {
            this.step = step;
        }

        void next() {
            if (cancelled || isClosed()) {
                cancel();
            } else if (underWay.compareAndSet(false, true)) {
                try {
                    execute(this::run);
                } catch (RejectedExecutionException ex) {
                    log.debug("Periodic work ends, because its worker was closed");
                } catch (Throwable ex) {
                    underWay.set(false);
                    throw ex;
                }
            }
        }

        private void run() {
            try {
                if (!cancelled) {
                    step.run();
                }
            } finally {
                underWay.set(false);
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            timer.cancel();
        }
    }

    /** A step that runs once, or never if it was withdrawn. */
    private record Submission(Runnable step, AtomicBoolean taken) implements Runnable {

        @Override
        public void run() {
            if (taken.compareAndSet(false, true)) {
                BackgroundWorker.run(step);
            }
        }

        /** Returns whether the step will never run; otherwise it has started. */
        boolean withdraw() {
            return taken.compareAndSet(false, true);
        }
    }
}
