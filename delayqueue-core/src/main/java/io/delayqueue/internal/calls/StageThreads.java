// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which the stages of asynchronous calls complete, and so what the application attached to them runs.
 * Nothing of the library waits for them. A few are enough while what is attached returns at once. Where it blocks, in
 * whatever way, there are soon more: nothing began for a moment although stages wait, so that their number is doubled,
 * up to one for each stage that {@link BoundedStages} admits. So stages whose dependents wait for other stages all
 * complete.
 *
 * <p>They are threads of the platform on every JVM: before Java 24 a virtual one that blocks in a {@code synchronized}
 * block keeps its carrier, and carriers are as few as cores. Daemons that end when idle.
 */
public final class StageThreads {

    private static final Logger log = LoggerFactory.getLogger(StageThreads.class);

    private static final int FEW = Math.max(2, Runtime.getRuntime().availableProcessors());
    /**
     * Up to here there are more also where stages wait long but some begin, as with dependents that all block shortly.
     */
    private static final int SOME = 256;

    /** Made at a time, so that the thread that makes them is soon free again. */
    private static final int MORE = 256;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;
    private final CallThreads library;
    private final int most;
    private final AtomicBoolean watched = new AtomicBoolean();
    private final AtomicLong begun = new AtomicLong();
    private volatile boolean told;

    /**
     * @param library from where it is seen whether there are enough
     * @param most stages that may be completing at a time
     */
    public StageThreads(CallThreads library, int most) {
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
        Completion counted = new Completion(completion);
        try {
            pool.execute(counted);
        } catch (OutOfMemoryError noThread) {
            pool.getQueue().add(counted);
        }
        watch();
    }

    /** Hands over once; the thread that takes them shares them out. */
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

    /** Where no thread can be made to look again, the next stage that completes has it tried again. */
    private void lookAgain() {
        long before = begun.get();
        try {
            library.after(LOOK_NANOS, () -> look(before));
        } catch (Throwable noThread) {
            watched.set(false);
            tellOnce();
        }
    }

    /** Once while it lasts: it is looked at a hundred times a second. */
    private void tellOnce() {
        if (!told) {
            told = true;
            Guard.tell(() -> log.warn(
                    "No thread more can be made to complete the stages of asynchronous calls: {} have dependents that"
                            + " have not returned, {} wait. What is attached should not block so often, or on an executor"
                            + " of its own",
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

    private final class Completion implements Runnable {

        private final Runnable completion;
        private final long sinceNanos = System.nanoTime();

        Completion(Runnable completion) {
            this.completion = completion;
        }

        @Override
        public void run() {
            begun.incrementAndGet();
            completion.run();
        }
    }
}
