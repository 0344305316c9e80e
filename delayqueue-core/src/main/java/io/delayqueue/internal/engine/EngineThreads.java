// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.Seam;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that all triggers of a process share, so that their number follows the work and not the number of queues:
 * up to four that scan, and as many that deliver as there are deliveries. Each ends after ten idle seconds.
 */
final class EngineThreads implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EngineThreads.class);
    private static final int SCANNERS = 4;
    private static final int MOST_ACQUIRES = 1000;
    private static final long IDLE_SECONDS = 10;

    private final Scheduler timer;
    private final TimingWheel wheel;
    private volatile boolean withoutThreads;
    private final AtomicInteger acquires = new AtomicInteger();
    private final ThreadPoolExecutor scanners;
    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            NamedThreads.workers("delayqueue-worker-"));

    EngineThreads(Scheduler timer) {
        this(timer, NamedThreads.daemons("delayqueue-scan-"));
    }

    /** @param scanning creates the threads that scan */
    EngineThreads(Scheduler timer, ThreadFactory scanning) {
        this.timer = timer;
        this.wheel = new TimingWheel(timer);
        PassesOfIdleThreads passes = new PassesOfIdleThreads();
        this.scanners = new ThreadPoolExecutor(
                0, SCANNERS, IDLE_SECONDS, TimeUnit.SECONDS, passes, scanning, passes::waitForBusyThread);
    }

    TimingWheel wheel() {
        return wheel;
    }

    /** Creates the timer's thread, so that a lack of threads surfaces here. */
    void start() {
        timer.start();
    }

    /**
     * Runs a scan on a scanning thread. Other queues wait while it blocks. If no thread can be created, it runs on the
     * timer's thread.
     *
     * @throws RejectedExecutionException when this is closed
     */
    void scan(Runnable pass) {
        try {
            scanners.execute(pass);
            withoutThreads = false;
        } catch (RejectedExecutionException ex) {
            throw ex;
        } catch (Throwable ex) {
            if (!withoutThreads) {
                withoutThreads = true;
                Seam.tell(() -> log.warn("No scan thread available; scanning on the timer thread", ex));
            }
            timer.execute(pass);
        }
    }

    /**
     * Returns whether one more acquire may begin. The bound keeps thousands of shards that wake at once, such as after a
     * reconnect, from filling the connection's queue. If so, the caller must call {@link #acquireEnded} once.
     */
    boolean mayAcquire() {
        if (acquires.incrementAndGet() <= MOST_ACQUIRES) {
            return true;
        }
        acquires.decrementAndGet();
        return false;
    }

    void acquireEnded() {
        acquires.decrementAndGet();
    }

    /** Runs deliveries, each at once; the caller bounds their number. */
    Executor workers() {
        return workers;
    }

    @Override
    public void close() {
        scanners.shutdownNow();
        // Triggers have interrupted hanging workers, and a worker may be closing the application.
        workers.shutdown();
    }

    /** Hands a pass to an idle thread, so that the pool adds a thread only while all are busy. */
    private static final class PassesOfIdleThreads extends LinkedTransferQueue<Runnable> {

        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable pass) {
            return tryTransfer(pass);
        }

        void waitForBusyThread(Runnable pass, ThreadPoolExecutor pool) {
            if (pool.isShutdown()) {
                throw new RejectedExecutionException("the application has stopped");
            }
            super.offer(pass);
        }
    }
}
