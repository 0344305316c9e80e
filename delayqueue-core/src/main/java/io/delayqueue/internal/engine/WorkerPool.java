// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Runs the deliveries of one trigger, on threads that bear its name: virtual ones, some of its own that are kept while
 * there is nothing to do, or else those that all triggers share, which take the trigger's name while they work for it.
 * How many run at a time is for the poller to bound.
 */
final class WorkerPool implements Executor {

    private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);
    private static final long IDLE_SECONDS = 60;

    private final Executor threads;
    private final boolean rename;
    private final String threadNamePrefix;
    private final Runnable onInterrupt;
    private final BitSet numbers = new BitSet();
    private final Set<Work> running = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    private WorkerPool(Executor threads, boolean rename, String threadNamePrefix, Runnable onInterrupt) {
        this.threads = threads;
        this.rename = rename;
        this.threadNamePrefix = threadNamePrefix;
        this.onInterrupt = onInterrupt;
    }

    /** @param shared runs what needs no thread of its own, at once */
    static WorkerPool of(WorkerThreads wanted, Executor shared) {
        String threadNamePrefix = wanted.namePrefix();
        if (wanted.virtual()) {
            return new WorkerPool(new VirtualThreadTaskExecutor(threadNamePrefix), false, threadNamePrefix, () -> {});
        }
        if (wanted.idle() == 0) {
            return new WorkerPool(shared, true, threadNamePrefix, () -> {});
        }
        ThreadPoolExecutor kept = new ThreadPoolExecutor(
                wanted.idle(),
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                NamedThreads.workers(threadNamePrefix));
        return new WorkerPool(kept, false, threadNamePrefix, kept::shutdown);
    }

    @Override
    public void execute(Runnable task) {
        if (stopped) {
            throw new RejectedExecutionException("the trigger has stopped");
        }
        threads.execute(new Work(task));
    }

    /** Takes no more work and interrupts what runs, but not on this thread. */
    void interruptAllBut(Thread stopper) {
        stopped = true;
        running.forEach(work -> work.interruptUnlessOn(stopper));
        onInterrupt.run();
    }

    private int takeNumber() {
        synchronized (numbers) {
            int number = numbers.nextClearBit(1);
            numbers.set(number);
            return number;
        }
    }

    private void giveBack(int number) {
        synchronized (numbers) {
            numbers.clear(number);
        }
    }

    /** One task on one thread; once it has ended, its thread is no longer ours to interrupt. */
    private final class Work implements Runnable {

        private final Runnable task;
        private Thread thread = Thread.currentThread();
        private int number;
        private boolean ended;

        Work(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            String ownName = Thread.currentThread().getName();
            Guard.run(log, "A worker goes on without its name or cannot be interrupted", this::begin);
            try {
                task.run();
            } finally {
                end();
                if (number > 0) {
                    Thread.currentThread().setName(ownName);
                    giveBack(number);
                }
            }
        }

        private synchronized void begin() {
            thread = Thread.currentThread();
            running.add(this);
            if (stopped) {
                thread.interrupt();
            }
            if (rename) {
                number = takeNumber();
                thread.setName(threadNamePrefix + number);
            }
        }

        private synchronized void end() {
            ended = true;
            running.remove(this);
            Thread.interrupted();
        }

        synchronized void interruptUnlessOn(Thread stopper) {
            if (!ended && thread != stopper) {
                thread.interrupt();
            }
        }
    }
}
