// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for the library's own part of calls: steps after a pause, time-outs, and sending for others. Steps must not
 * block or run application code. The JVM's shared time-out thread of {@code CompletableFuture} is not used, because the
 * application may block it. Daemon threads that end when idle.
 */
public final class CallThreads implements Executor {

    private static final Logger log = LoggerFactory.getLogger(CallThreads.class);
    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor pool;

    public CallThreads() {
        this(NamedThreads.daemons("delayqueue-calls-"));
    }

    public CallThreads(ThreadFactory threads) {
        this.pool =
                new ScheduledThreadPoolExecutor(Math.max(2, Runtime.getRuntime().availableProcessors()), threads);
        pool.setRemoveOnCancelPolicy(true);
        pool.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        pool.allowCoreThreadTimeOut(true);
    }

    /** Runs a step. Throws the error if no thread can be created; the step then never runs. */
    @Override
    public void execute(Runnable step) {
        after(0, step);
    }

    public Future<?> after(long nanos, Runnable step) {
        if (pool.getPoolSize() == 0) {
            pool.prestartCoreThread();
        }
        FutureTask<?> task =
                new FutureTask<>(() -> Guard.run(log, "A step of a call failed; continuing with others", step));
        try {
            return pool.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (OutOfMemoryError noSecondThread) {
            // It is already queued, so the next thread runs it.
            return task;
        }
    }
}
