// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads that all triggers of a process share: up to four for scans, and one for each running batch. Their number
 * depends on the work and not on the number of queues. A thread ends after ten idle seconds.
 */
final class EngineThreads implements AutoCloseable {

    private static final int SCANNERS = 4;
    private static final int MOST_ACQUIRES = 1000;
    private static final long IDLE_SECONDS = 10;

    private final Scheduler timer;
    private final TimingWheel wheel;
    private final Semaphore acquires = new Semaphore(MOST_ACQUIRES);
    private final BackgroundWorker scanners;
    private final ThreadPoolExecutor workers;
    private int holds;

    EngineThreads(Scheduler timer) {
        this(timer, NamedThreads.daemons("delayqueue-scan-"));
    }

    EngineThreads(Scheduler timer, ThreadFactory scanning) {
        this.timer = timer;
        this.wheel = new TimingWheel(timer);
        this.scanners = new BackgroundWorker(timer, SCANNERS, scanning);
        // Runs each batch at once, on the thread that became idle last, so that the other threads can end.
        this.workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new CustomizableThreadFactory("delayqueue-worker-"));
    }

    TimingWheel wheel() {
        return wheel;
    }

    /** Creates the timer's thread, so that this method fails if no thread can be created. */
    void start() {
        timer.start();
    }

    boolean timerIsBehind() {
        return timer.isBehind();
    }

    /**
     * Runs a pass on a scanning thread. While the pass blocks, other queues wait. Throws if no thread can be created.
     *
     * @throws RejectedExecutionException when this is closed
     */
    void scan(Runnable pass) {
        scanners.execute(pass);
    }

    /**
     * Runs a pass that may call application code, on a scanning thread. If no thread can be created, retries after a
     * second.
     *
     * @throws RejectedExecutionException when this is closed
     */
    void scanWithApplication(Runnable pass) {
        scanners.executeOrRetry(pass);
    }

    /**
     * Returns whether another acquire may start. If so, the caller must call {@link #acquireEnded} once. The limit
     * prevents thousands of shards from filling the connection's queue when they wake up together, for example after a
     * reconnect.
     */
    boolean mayAcquire() {
        return acquires.tryAcquire();
    }

    void acquireEnded() {
        acquires.release();
    }

    /** Returns the executor for deliveries. It starts each one at once, so the caller must limit their number. */
    Executor workers() {
        return workers;
    }

    /**
     * Keeps one worker alive, and with it the JVM, until {@link #release} was called as often as this. Throws if no
     * thread can be created; call {@link #release} even then.
     */
    synchronized void hold() {
        holds++;
        workers.setCorePoolSize(1);
        workers.prestartCoreThread();
    }

    synchronized void release() {
        holds--;
        if (holds == 0) {
            workers.setCorePoolSize(0);
        }
    }

    @Override
    public void close() {
        // Interrupts passes that hang. If all scanning threads hang, the queued passes are dropped.
        scanners.close();
        // Do not interrupt workers: triggers have interrupted those that hang, and a worker may be closing the
        // application.
        workers.shutdown();
    }
}
