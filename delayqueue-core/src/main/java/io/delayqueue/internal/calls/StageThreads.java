// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that complete the stages of asynchronous calls and so run their dependents. The library never waits for these
 * threads. A few are enough while dependents return at once. If dependents block, so that for a moment no waiting stage
 * starts, the number of threads doubles, at most to the number of stages that {@link BoundedStages} admits. Therefore
 * all stages complete, even if their dependents wait for other stages.
 *
 * <p>They are platform threads, because before Java 24 a virtual thread that blocks in a {@code synchronized} block
 * pins its carrier, and there are only as many carriers as cores. They are daemon threads and end when idle.
 */
public final class StageThreads {

    private static final Logger log = LoggerFactory.getLogger(StageThreads.class);

    private static final int FEW = Math.max(2, Runtime.getRuntime().availableProcessors());
    /**
     * Below this number, threads are also added if stages wait for long although some start, for example because all
     * dependents block briefly.
     */
    private static final int SOME = 256;

    /** Maximum number of threads to create at once, so that the creating thread is soon free. */
    private static final int MORE = 256;

    private static final Duration LOOK = Duration.ofMillis(10);
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;
    private final Scheduler library;
    private final int most;
    private final AtomicBoolean watched = new AtomicBoolean();
    private final AtomicLong begun = new AtomicLong();
    private volatile boolean told;

    /**
     * @param library checks whether there are enough threads
     * @param most maximum number of stages that may be completing
     */
    public StageThreads(Scheduler library, int most) {
        this.library = library;
        this.most = Math.max(FEW, most);
        this.pool = new ThreadPoolExecutor(
                FEW,
                this.most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                NamedThreads.bareDaemons("delayqueue-client-"));
        pool.allowCoreThreadTimeOut(true);
    }

    public void run(Runnable completion) {
        Completion counted = new Completion(completion, begun, System.nanoTime());
        try {
            pool.execute(counted);
        } catch (OutOfMemoryError noThread) {
            pool.getQueue().add(counted);
        }
        watch();
    }

    /** Hands over all completions at once. The first thread distributes them. */
    public void runAll(List<Runnable> completions) {
        if (!completions.isEmpty()) {
            run(() -> completions.forEach(this::run));
        }
    }

    private void watch() {
        if (!pool.getQueue().isEmpty() && watched.compareAndSet(false, true)) {
            lookAgain();
        }
    }

    /**
     * Checks again later whether there are enough threads. If no thread is available for that, the next completing
     * stage checks.
     */
    private void lookAgain() {
        long before = begun.get();
        try {
            library.after(LOOK, () -> look(before));
        } catch (Throwable noThread) {
            watched.set(false);
            tellOnce();
        }
    }

    /** Logs once while the condition lasts, because it is checked a hundred times a second. */
    private void tellOnce() {
        if (!told) {
            told = true;
            Guard.tell(() -> log.warn(
                    "No more threads can be created to complete asynchronous calls: {} threads are still running "
                            + "dependent stages, {} completions are queued. Dependent stages should block less, or "
                            + "use a separate executor",
                    pool.getActiveCount(),
                    pool.getQueue().size()));
        }
    }

    private void look(long before) {
        if (!(pool.getQueue().peek() instanceof Completion oldest)) {
            pool.setCorePoolSize(FEW);
            told = false;
            watched.set(false);
            watch();
            return;
        }
        try {
            int threads = pool.getCorePoolSize();
            if (begun.get() == before) {
                pool.setCorePoolSize(Math.min(most, threads + Math.min(threads, MORE)));
            } else if (threads < SOME && System.nanoTime() - oldest.sinceNanos > LONG_NANOS) {
                pool.setCorePoolSize(Math.min(most, threads + FEW));
            }
            pool.prestartCoreThread();
        } catch (Throwable noThread) {
            tellOnce();
        }
        lookAgain();
    }

    private record Completion(Runnable completion, AtomicLong begun, long sinceNanos) implements Runnable {

        @Override
        public void run() {
            begun.incrementAndGet();
            completion.run();
        }
    }
}
