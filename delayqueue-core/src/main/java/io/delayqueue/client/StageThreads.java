// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which the stages of asynchronous calls complete, and so what the application attached to them runs: never
 * one of the driver's. A stage whose dependents wait for another stage holds up no other one: the pool adds a thread while
 * one waits in {@code join()}, and those that are idle take over what is behind it. Daemons that end when idle.
 */
final class StageThreads {

    private static final int MOST = 256;
    private static final long IDLE_SECONDS = 10;

    private final ForkJoinPool pool;

    StageThreads() {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        ClassLoader loader = StageThreads.class.getClassLoader();
        AtomicInteger number = new AtomicInteger();
        this.pool = new ForkJoinPool(
                threads,
                in -> named(in, "delayqueue-client-" + number.incrementAndGet(), loader),
                null,
                true,
                0,
                MOST,
                1,
                full -> true,
                IDLE_SECONDS,
                TimeUnit.SECONDS);
    }

    private static ForkJoinWorkerThread named(ForkJoinPool pool, String name, ClassLoader loader) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName(name);
        // The pool's own choice, the system class loader, does not see the classes in an executable jar.
        thread.setContextClassLoader(loader);
        return thread;
    }

    void run(Runnable completion) {
        pool.execute(completion);
    }

    /** Hands over once; the thread that takes them shares them out. */
    void runAll(List<Runnable> completions) {
        if (!completions.isEmpty()) {
            pool.execute(() -> completions.forEach(pool::execute));
        }
    }
}
