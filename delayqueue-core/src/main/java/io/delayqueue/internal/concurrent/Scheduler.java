// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timer of an application context. Its daemon thread, {@code delayqueue-timer-1}, runs short steps, once or
 * periodically; its {@linkplain #worker() workers} run steps that block. Exceptions from a step are logged, and affect
 * neither later steps nor the next run of a periodic step. Does not use the JVM's shared time-out thread of {@code
 * CompletableFuture}, because the application may block it. Thread-safe.
 *
 * <p>The thread is created with the first step and ends after ten idle seconds. If the thread cannot be created, the
 * step is rejected with the error. After {@link #close}, steps are rejected with a {@link RejectedExecutionException}.
 * A rejected step never runs.
 */
public final class Scheduler implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor timer;
    private final ThreadFactory workers;

    public Scheduler() {
        this(NamedThreads.daemons("delayqueue-timer-"), NamedThreads.HOUSEKEEPING);
    }

    /**
     * @param timer creates the timer's thread
     * @param workers creates the threads of workers
     */
    public Scheduler(ThreadFactory timer, ThreadFactory workers) {
        this(1, timer, workers);
    }

    private Scheduler(int threads, ThreadFactory timer, ThreadFactory workers) {
        this.timer = new ScheduledThreadPoolExecutor(threads, timer);
        this.timer.setRemoveOnCancelPolicy(true);
        this.timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        this.timer.allowCoreThreadTimeOut(true);
        this.workers = workers;
    }

    /** Returns a timer with one thread per processor, for the library's own part of calls. */
    public static Scheduler forCalls() {
        return new Scheduler(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                NamedThreads.daemons("delayqueue-calls-"),
                NamedThreads.HOUSEKEEPING);
    }

    /**
     * Creates a thread unless there is one, so that this method, and not the first step, fails if no thread can be
     * created.
     */
    public void start() {
        if (timer.getPoolSize() == 0) {
            timer.prestartCoreThread();
        }
    }

    /** Runs a non-blocking step on the timer's thread as soon as earlier steps have ended. */
    public void execute(Runnable step) {
        after(Duration.ZERO, step);
    }

    /** Runs a non-blocking step on the timer's thread after a delay. */
    public Scheduled after(Duration delay, Runnable step) {
        start();
        FutureTask<?> task = new FutureTask<>(() -> run(step), null);
        try {
            return cancelling(timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS));
        } catch (OutOfMemoryError noSecondThread) {
            return cancelling(task); // The step is already queued, so the next thread runs it.
        }
    }

    /** Runs a non-blocking step on the timer's thread periodically, with a fixed delay between runs. */
    public Scheduled every(Duration first, Duration delay, Runnable step) {
        start();
        return cancelling(
                timer.scheduleWithFixedDelay(() -> run(step), first.toNanos(), delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    private static Scheduled cancelling(Future<?> future) {
        return () -> future.cancel(false);
    }

    private static void run(Runnable step) {
        Guard.run(log, "A timer step failed; continuing with others", step);
    }

    /** Returns whether the timer is late: another step is already due. */
    public boolean isBehind() {
        return timer.getQueue().peek() instanceof Delayed next && next.getDelay(TimeUnit.NANOSECONDS) <= 0;
    }

    /** Returns a new worker with one thread, for steps that block. */
    public BackgroundWorker worker() {
        return new BackgroundWorker(this, 1, workers);
    }

    public boolean isClosed() {
        return timer.isShutdown();
    }

    /** Drops waiting steps and interrupts a running one. Workers finish their steps. */
    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** A scheduled step. */
    @FunctionalInterface
    public interface Scheduled {

        /** Prevents further runs. Does not interrupt a run in progress. */
        void cancel();
    }
}
