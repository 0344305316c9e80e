// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One daemon thread for steps to be run at once, later or again and again. What a step throws is logged, and keeps
 * neither its next turn nor the steps behind it from being run. Safe for use by many threads.
 *
 * <p>The thread is made when the first step comes and lives until this is closed. A step is refused with what the
 * making of the thread threw, or with {@link java.util.concurrent.RejectedExecutionException} when this is closed; one
 * that was refused is not run later.
 */
public final class SteadyThread implements Executor, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SteadyThread.class);

    private final String name;
    private final ScheduledThreadPoolExecutor executor;

    /** @param name how the thread's name begins */
    public SteadyThread(String name) {
        this(name, NamedThreads.daemons(name));
    }

    /** @param threads makes the thread */
    public SteadyThread(String name, ThreadFactory threads) {
        this.name = name;
        this.executor = new ScheduledThreadPoolExecutor(1, threads);
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Makes the thread, for those who would rather fail now than when the first step comes. */
    public void start() {
        executor.prestartCoreThread();
    }

    /** Runs a step as soon as those before it have ended. */
    @Override
    public void execute(Runnable step) {
        start();
        executor.execute(() -> run(step));
    }

    /** Runs a step when a time has passed. */
    public ScheduledFuture<?> after(Duration delay, Runnable step) {
        start();
        return executor.schedule(() -> run(step), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs a step when a time has passed, and then whenever it has passed since the end of the run before. */
    public ScheduledFuture<?> every(Duration period, Runnable step) {
        return every(period, period, step);
    }

    /**
     * Runs a step when a first time has passed, and then whenever the period has passed since the end of the run
     * before.
     */
    public ScheduledFuture<?> every(Duration first, Duration period, Runnable step) {
        start();
        return executor.scheduleWithFixedDelay(
                () -> run(step), first.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void run(Runnable step) {
        Seam.run(log, "A step on the thread " + name + " failed; the others go on", step);
    }

    /** Whether it was closed. */
    public boolean isClosed() {
        return executor.isShutdown();
    }

    /**
     * Takes no more steps. Those that wait for their time or their next turn are dropped; those that wait for the
     * thread run.
     */
    public void finish() {
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.shutdown();
    }

    /** Waits until the step that runs has ended; to be called after {@link #finish} or {@link #close}. */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        return executor.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Takes no more steps, drops those that wait and interrupts the one that runs. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
