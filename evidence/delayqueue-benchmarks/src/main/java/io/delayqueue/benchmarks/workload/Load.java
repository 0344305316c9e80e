// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.OwnProcess;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Schedules tasks in one queue, with consecutive numbers. */
final class Load {

    /** Index of the subject's first queue. */
    static final int QUEUE = 0;

    static final int BATCH = 500;

    private final Subject subject;
    private final AtomicLong next = new AtomicLong();

    Load(Subject subject) {
        this.subject = subject;
    }

    /** Returns the number of the next task. */
    long next() {
        return next.get();
    }

    /** Returns the number of scheduled tasks. */
    long scheduled() {
        return next.get();
    }

    /** Schedules one task at a time in each of these threads for this time, and returns the rate per second. */
    double singly(int threads, Duration time, long dueAt) throws InterruptedException {
        if (subject instanceof OwnProcess process) {
            OwnProcess.Calls calls = process.schedule(threads, time, next.get(), dueAt);
            next.addAndGet(calls.count());
            return calls.perSecond();
        }
        return forSoLong(threads, time, () -> {
            subject.schedule(Task.of(QUEUE, next.getAndIncrement(), dueAt));
            return 1;
        });
    }

    /** Schedules batches in one thread for this time, and returns the rate per second. */
    double inBatches(Duration time, long dueAt) throws InterruptedException {
        return forSoLong(1, time, () -> {
            subject.scheduleAll(batch(next.getAndAdd(BATCH), BATCH, dueAt));
            return BATCH;
        });
    }

    /** Schedules this number of tasks in batches with four threads, and returns the duration. */
    Duration inBatches(int count, long dueAt) throws InterruptedException {
        long first = next.getAndAdd(count);
        AtomicLong taken = new AtomicLong();
        long began = System.nanoTime();
        together(4, () -> {
            for (long from = taken.getAndAdd(BATCH); from < count; from = taken.getAndAdd(BATCH)) {
                subject.scheduleAll(batch(first + from, (int) Math.min(BATCH, count - from), dueAt));
            }
        });
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private static List<Task> batch(long first, int count, long dueAt) {
        List<Task> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tasks.add(Task.of(QUEUE, first + i, dueAt));
        }
        return tasks;
    }

    private static double forSoLong(int threads, Duration time, Step step) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        long began = System.nanoTime();
        long end = began + time.toNanos();
        together(threads, () -> {
            long mine = 0;
            while (System.nanoTime() < end) {
                mine += step.run();
            }
            done.addAndGet(mine);
        });
        return done.get() * 1e9 / (System.nanoTime() - began);
    }

    /** Runs the same work in this number of threads. */
    static void together(int threads, Runnable work) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(work));
            }
            for (Future<?> future : running) {
                future.get();
            }
        } catch (ExecutionException ex) {
            throw new IllegalStateException(ex.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    @FunctionalInterface
    private interface Step {

        int run();
    }
}
