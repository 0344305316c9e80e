// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** The threads that deliver: platform threads that end when idle, or virtual ones. */
final class WorkerPool implements Executor {

    private static final long IDLE_SECONDS = 60;
    private static final long HAND_OVER_MILLIS = 100;

    private final ExecutorService executor;

    /**
     * @param idle threads kept while there is nothing to do
     * @param max threads at most; whoever executes never has more than this many tasks running
     */
    WorkerPool(String threadNamePrefix, int idle, int max, boolean virtual) {
        ThreadFactory factory = virtual
                ? new VirtualThreadTaskExecutor(threadNamePrefix).getVirtualThreadFactory()
                : new CustomizableThreadFactory(threadNamePrefix);
        this.executor = new ThreadPoolExecutor(
                idle, max, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory, WorkerPool::handOver);
    }

    /**
     * All threads are at the end of a task but not yet idle, or of their idle time but not yet gone: the next that is idle
     * takes this one, or a new one where one has gone.
     */
    static void handOver(Runnable task, ThreadPoolExecutor pool) {
        try {
            while (!pool.isShutdown()) {
                if (pool.getQueue().offer(task, HAND_OVER_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
                if (pool.getPoolSize() < pool.getMaximumPoolSize()) {
                    pool.execute(task);
                    return;
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        throw new RejectedExecutionException("the trigger has stopped");
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
