// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Seam;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
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
 * a few that scan, and as many that deliver as there are deliveries.
 */
final class EngineThreads implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EngineThreads.class);
    private static final int SCANNERS = 4;
    private static final int MOST_ACQUIRES = 1000;
    private static final long IDLE_SECONDS = 10;

    private final TimingWheel wheel = new TimingWheel();
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

    EngineThreads() {
        this(NamedThreads.daemons("delayqueue-scan-"));
    }

    /** @param scanning makes the threads that scan */
    EngineThreads(ThreadFactory scanning) {
        this.scanners = new ThreadPoolExecutor(
                SCANNERS, SCANNERS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), scanning);
        scanners.allowCoreThreadTimeOut(true);
    }

    /** When pollers and tasks are to be looked at. */
    TimingWheel wheel() {
        return wheel;
    }

    /** Makes the threads without which nothing goes on; those that come and go need not be had at every moment. */
    void start() {
        wheel.start();
    }

    /**
     * Runs a scan; what blocks here for long holds up the other queues. Where no thread can be made it is run by the
     * timer's.
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
                Seam.tell(() -> log.warn("Scans on the thread of the timer, for want of another", ex));
            }
            wheel.execute(pass);
        }
    }

    /**
     * Whether one more call that acquires may be under way, so that thousands of shards that are woken at once, as
     * after a reconnect, do not fill the connection's queue. Who was told so says when it {@linkplain #acquireEnded has
     * ended}.
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

    /** Runs deliveries, each at once; bounding their number is for who calls. */
    Executor workers() {
        return workers;
    }

    @Override
    public void close() {
        wheel.close();
        scanners.shutdownNow();
        // Each trigger has interrupted what hung, and a worker may be the one that closes the application.
        workers.shutdown();
    }
}
