// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls at a steady rate with several threads, so that a slow call does not delay later ones. Each call receives
 * its planned time, so that results do not depend on the duration of earlier calls.
 */
final class Pace {

    private static final int THREADS = 4;

    /** A subject that got less than this share of the planned load cannot be compared with the others. */
    private static final double ENOUGH = 0.98;

    private final int perSecond;
    private final int number;
    private final Call call;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong lastReturned = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile long end;

    /** Uses four threads. */
    Pace(int perSecond, Call call) {
        this(perSecond, THREADS, call);
    }

    /** @param threads maximum number of concurrent calls */
    Pace(int perSecond, int threads, Call call) {
        this.perSecond = perSecond;
        this.number = threads;
        this.call = call;
    }

    /** Makes this number of calls, and returns after the last. */
    void run(int count) throws InterruptedException {
        start(count);
        join();
    }

    /** Makes calls until it is stopped. */
    void start() {
        start(Long.MAX_VALUE);
    }

    private void start(long count) {
        end = count;
        long began = System.nanoTime();
        long beganMillis = System.currentTimeMillis();
        for (int i = 0; i < number; i++) {
            Thread thread = new Thread(() -> call(began, beganMillis), "pace-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void call(long began, long beganMillis) {
        try {
            for (long index = next.getAndIncrement(); index < end; index = next.getAndIncrement()) {
                long planned = index * 1_000_000_000L / perSecond;
                await(began + planned);
                if (index < end) { // This may have been stopped in the meantime.
                    call.make(index, beganMillis + planned / 1_000_000);
                    made.incrementAndGet();
                    lastReturned.accumulateAndGet(System.nanoTime() - began, Math::max);
                }
            }
        } catch (RuntimeException | Error ex) {
            failure.compareAndSet(null, ex);
            end = 0;
        }
    }

    private static void await(long nanos) {
        for (long wait = nanos - System.nanoTime(); wait > 0; wait = nanos - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
    }

    /** Makes no more calls, and returns after the last. */
    void stop() throws InterruptedException {
        end = 0;
        join();
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("A call failed", failure.get());
        }
    }

    /** Returns the rate of calls per second, from the planned time of the first to the return of the last. */
    double achieved() {
        return (made.get() - 1) * 1e9 / Math.max(1, lastReturned.get());
    }

    /** Records the rate of calls per second; a lower rate than planned is a problem. */
    void record(String name, Recorder recorder) {
        recorder.metric(name, achieved());
        if (achieved() < ENOUGH * perSecond) {
            recorder.problem(String.format(Locale.ROOT, "%s: %.1f of %d", name, achieved(), perSecond));
        }
    }

    /** The call to make at a steady rate. */
    @FunctionalInterface
    interface Call {

        /**
         * Makes the call. Several threads do this.
         *
         * @param index number from 0
         * @param planned planned time, epoch milliseconds
         */
        void make(long index, long planned);
    }
}
