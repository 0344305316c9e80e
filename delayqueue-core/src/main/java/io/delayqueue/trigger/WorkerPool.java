// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** The threads that deliver: platform threads that end when idle, or virtual ones. */
final class WorkerPool implements Executor {

    private static final long IDLE_SECONDS = 60;

    private final ExecutorService executor;

    WorkerPool(String threadNamePrefix, int threads, boolean virtual) {
        ThreadFactory factory = virtual
                ? new VirtualThreadTaskExecutor(threadNamePrefix).getVirtualThreadFactory()
                : new CustomizableThreadFactory(threadNamePrefix);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        this.executor = pool;
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /** Takes no more work and interrupts what runs. */
    void interrupt() {
        executor.shutdownNow();
    }
}
