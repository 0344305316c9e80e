// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.input.PrintableText;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Limits concurrent searches through many tasks to four per process and two per caller. Searches run on the callers'
 * threads and end after {@link TaskPages#LONGEST}, even if the caller disconnects. Thread-safe.
 */
final class Scans {

    static final int MOST = 4;
    static final int MOST_OF_ONE = 2;

    private static final long LONGEST_REST = TimeUnit.SECONDS.toNanos(1);

    private static final int LONGEST_NAME = 80;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Map<String, Integer> running = new HashMap<>();

    /**
     * Runs a search.
     *
     * @param patience how long to wait for capacity
     * @throws TooManyScansException if too many other searches are still running after that time
     */
    <T> T run(Caller caller, Duration patience, Supplier<T> search) {
        begin(caller.name(), patience);
        try {
            return search.get();
        } finally {
            end(caller.name());
        }
    }

    /** Begins a search. The caller must call {@link #end} afterwards. */
    void begin(String caller, Duration patience) {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (isFull(caller)) {
                if (left <= 0) {
                    throw new TooManyScansException(
                            "This process runs up to " + MOST + " searches at a time, and up to " + MOST_OF_ONE
                                    + " per caller. " + PrintableText.of(caller, LONGEST_NAME)
                                    + " must wait until a search ends");
                }
                left = ended.awaitNanos(left);
            }
            running.merge(caller, 1, Integer::sum);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new TooManyScansException("The search was interrupted before it started");
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull(String caller) {
        return running.getOrDefault(caller, 0) >= MOST_OF_ONE
                || running.values().stream().mapToInt(Integer::intValue).sum() >= MOST;
    }

    void end(String caller) {
        lock.lock();
        try {
            running.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Pauses for as long as a page took, to leave Redis time for other work.
     *
     * @param begin when the page was requested, as of {@link System#nanoTime}
     */
    static void rest(long begin) {
        LockSupport.parkNanos(Math.min(System.nanoTime() - begin, LONGEST_REST));
    }
}
