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
 * The threads of the library's own part of calls: what goes on after a pause, time-outs, and sending for others.
 * Nothing that runs there blocks, and nothing of the application runs there: neither does it run on the thread that the
 * JVM keeps for the time-outs of all {@code CompletableFuture}s, which an application may hold up. Daemons that end
 * when idle.
 */
public final class CallThreads implements Executor {

    private static final Logger log = LoggerFactory.getLogger(CallThreads.class);
    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor pool;

    public CallThreads() {
        this(NamedThreads.daemons("delayqueue-calls-"));
    }

    /** @param threads makes them */
    public CallThreads(ThreadFactory threads) {
        this.pool =
                new ScheduledThreadPoolExecutor(Math.max(2, Runtime.getRuntime().availableProcessors()), threads);
        pool.setRemoveOnCancelPolicy(true);
        pool.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        pool.allowCoreThreadTimeOut(true);
    }

    /** Refused with what the making of a thread threw if there is none; then it is not run later. */
    @Override
    public void execute(Runnable step) {
        after(0, step);
    }

    /** The same, after a time. */
    public Future<?> after(long nanos, Runnable step) {
        if (pool.getPoolSize() == 0) {
            pool.prestartCoreThread();
        }
        FutureTask<?> task = new FutureTask<>(() -> Guard.run(log, "A step of a call failed; others go on", step));
        try {
            return pool.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (OutOfMemoryError noSecondThread) {
            // It waits already, and the first thread runs it.
            return task;
        }
    }
}
