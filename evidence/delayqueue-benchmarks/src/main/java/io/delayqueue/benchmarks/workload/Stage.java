// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** A range of tasks that are expected. Uses the clock of this machine, like Redis. */
final class Stage {

    private final long first;
    private final AtomicLongArray arrivedAt;
    private final int[] latenessMicros;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicInteger early = new AtomicInteger();
    private final AtomicLong firstAt = new AtomicLong(Long.MAX_VALUE);
    private volatile long lastAt;

    Stage(long first, int count) {
        this.first = first;
        this.arrivedAt = new AtomicLongArray(count);
        this.latenessMicros = new int[count];
    }

    /** Records an arrival at a time in epoch microseconds. Returns {@code false} if the task is not in the range. */
    boolean arrived(long number, long dueAt, long now) {
        long index = number - first;
        if (index < 0 || index >= arrivedAt.length()) {
            return false;
        }
        if (!arrivedAt.compareAndSet((int) index, 0, now)) {
            duplicates.incrementAndGet();
            return true;
        }
        long lateness = now - dueAt * 1000;
        latenessMicros[(int) index] = (int) Math.min(Integer.MAX_VALUE, lateness);
        if (lateness < 0) {
            early.incrementAndGet();
        }
        if (now < firstAt.get()) {
            firstAt.accumulateAndGet(now, Math::min);
        }
        if (arrived.incrementAndGet() == arrivedAt.length()) {
            lastAt = now;
        }
        return true;
    }

    static long nowMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    /**
     * Waits until all tasks have arrived, no task has arrived for the time {@code patience}, or the limit has passed.
     */
    void await(Duration patience, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        long progressAt = System.nanoTime();
        int seen = 0;
        while (arrived.get() < arrivedAt.length() && System.nanoTime() < end) {
            if (arrived.get() != seen) {
                seen = arrived.get();
                progressAt = System.nanoTime();
            } else if (System.nanoTime() - progressAt > patience.toNanos()) {
                return;
            }
            Thread.sleep(5);
        }
    }

    int arrived() {
        return arrived.get();
    }

    int duplicates() {
        return duplicates.get();
    }

    int early() {
        return early.get();
    }

    /** Returns the rate per second from the first arrival to the last, or until now if some are missing. */
    double rate() {
        return rateSince(firstAt.get());
    }

    /** Returns the rate from a time in epoch microseconds. */
    double rateSince(long micros) {
        if (arrived.get() == 0) {
            return 0;
        }
        long end = (lastAt != 0) ? lastAt : nowMicros();
        return arrived.get() * 1e6 / Math.max(1, end - micros);
    }

    /** Returns a quantile of the lateness of the arrivals, in milliseconds. Requires at least one arrival. */
    double latenessMillis(double share) {
        int[] sorted = IntStream.range(0, latenessMicros.length)
                .filter(index -> arrivedAt.get(index) != 0)
                .map(index -> latenessMicros[index])
                .sorted()
                .toArray();
        int index = (int) Math.ceil(share * sorted.length) - 1;
        return sorted[Math.max(0, index)] / 1000.0;
    }
}
