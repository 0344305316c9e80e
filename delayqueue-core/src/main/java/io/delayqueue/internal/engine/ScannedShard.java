// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Schedules the scans of one shard. Only passes use this class, except where noted.
 *
 * <p>An idle shard is scanned once per max-idle-interval, or once in {@value #LONGEST_STRETCH} intervals while wake
 * signals are known to arrive. If a scan finds work for which no signal arrived, the longer interval is not used for
 * {@value #LONGEST_STRETCH} times as long.
 *
 * <p>If another process owns the shard, this process scans it once per max-idle-interval. If such a scan finds late
 * tasks, this process may stand in: it scans the shard like its owner for {@value #LONGEST_STRETCH} intervals. The
 * process that is next in line stands in after one such scan, the one after it after two in a row, and so on. Usually
 * only one process stands in.
 */
final class ScannedShard {

    static final int LONGEST_STRETCH = 12;
    private static final Duration FIRST_ERROR_PAUSE = Duration.ofMillis(50);
    private static final long WARNING_INTERVAL = TimeUnit.SECONDS.toNanos(30);
    private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(50);
    /**
     * Lateness of a shard that makes its owner count as late. A live owner with free workers reaches it only after an
     * outage or a pause.
     */
    private static final Duration LATE = Duration.ofSeconds(1);

    private static final Duration NEVER = Duration.ofDays(10_000);

    private final int shard;
    private final long maxIdleInterval;
    private final long stretched;
    private final BackOff errorPauses;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicBoolean heard = new AtomicBoolean();
    private final AtomicInteger leased = new AtomicInteger();
    private long lastScan;
    private long nextScan;
    private long promised;
    private boolean announced;
    private boolean scanning;
    /** The earliest time to extend the interval. */
    private long stretchFrom;
    /** The number of consecutive scans that found the owner late. */
    private int lateScans;
    /** The time until which this process stands in for the owner. */
    private volatile long standInUntil;

    private volatile @Nullable BackOffExecution failures;
    private long lastWarning;

    /**
     * Creates a shard that is due for a scan.
     *
     * @param ahead a number from 0 to 1 that shortens the longest interval; 1 halves it. Give idle shards different
     *     numbers, so that they are not scanned together.
     */
    ScannedShard(int shard, Duration maxIdleInterval, long now, double ahead) {
        this.shard = shard;
        this.maxIdleInterval = maxIdleInterval.toNanos();
        this.stretched = (long) (LONGEST_STRETCH * maxIdleInterval.toNanos() * (1 - ahead / 2));
        this.errorPauses = DoublingBackOff.between(FIRST_ERROR_PAUSE, maxIdleInterval);
        this.lastScan = now;
        this.nextScan = now;
        this.promised = now;
        this.stretchFrom = now;
        this.standInUntil = now;
    }

    int shard() {
        return shard;
    }

    /** Makes the shard due at once. Thread-safe. */
    void wake() {
        woken.set(true);
    }

    /**
     * Records a signal for new work that another process should acquire. This process scans the shard after the longest
     * idle interval. Thread-safe.
     */
    void hear() {
        heard.set(true);
    }

    /** Returns whether this process scans the shard because its owner was late. Thread-safe. */
    boolean standsIn(long now) {
        return standInUntil - now > 0;
    }

    /** Adds to the number of the shard's tasks that this process has leased. Thread-safe. */
    void addLeased(int tasks) {
        leased.addAndGet(tasks);
    }

    int leased() {
        return leased.get();
    }

    boolean isScanning() {
        return scanning;
    }

    /** Returns when the shard is due for a scan. */
    long nextScan(long now, boolean signalsArrive) {
        if (woken.get()) {
            return now;
        }
        boolean stretched = signalsArrive && !heard.get();
        return stretched ? nextScan : earlier(nextScan, lastScan + maxIdleInterval);
    }

    boolean isDue(long now, boolean signalsArrive) {
        return !scanning && nextScan(now, signalsArrive) - now <= 0;
    }

    long sinceLastScan(long now) {
        return now - lastScan;
    }

    void scanBegins(long now) {
        scanning = true;
        announced = woken.getAndSet(false) | heard.getAndSet(false) || promised - now <= TOLERANCE;
        lastScan = now;
    }

    boolean hasFailed() {
        return failures != null;
    }

    /** Schedules the next scan after a failure, with a pause that grows with each failure. */
    void scanFailed(long now) {
        BackOffExecution pauses = failures;
        if (pauses == null) {
            pauses = errorPauses.start();
            failures = pauses;
            lastWarning = now - WARNING_INTERVAL;
        }
        goOnAfter(now, TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff()));
    }

    /** Records that a scan has ended with an unknown result. The next one follows after an idle interval. */
    void scanBroke(long now) {
        goOnAfter(now, maxIdleInterval);
    }

    private void goOnAfter(long now, long pause) {
        scanning = false;
        nextScan = now + pause;
        promised = nextScan;
    }

    /** Returns whether to warn: after the first of consecutive failures, then every 30 s. */
    boolean isWorthAWarning(long now) {
        boolean worth = now - lastWarning >= WARNING_INTERVAL;
        if (worth) {
            lastWarning = now;
        }
        return worth;
    }

    /** Resets failures; returns whether there were any. */
    boolean recovers() {
        boolean failed = hasFailed();
        failures = null;
        return failed;
    }

    /**
     * Plans the next scan.
     *
     * @param place number of processes that precede this one as owner of the shard. The owner scans when the next task
     *     is due, other processes after the longest idle interval
     * @param signalsArrive whether wake signals are known to arrive
     */
    void scanned(Acquisition acquisition, long now, int place, boolean signalsArrive) {
        scanning = false;
        Duration untilNext = acquisition.untilNext();
        boolean found = !acquisition.tasks().isEmpty();
        boolean atOnce = untilNext != null && untilNext.isZero();
        long next = atOnce ? now : acquisition.callNanoTime() + nanos(untilNext);
        if (!announced && (found || promised - next > TOLERANCE)) {
            stretchFrom = now + LONGEST_STRETCH * LONGEST_STRETCH * maxIdleInterval;
        }
        promised = next;
        boolean mayStandIn = place != WakeSignals.Registration.NEVER;
        boolean precise = place == 0 || (mayStandIn && standInIfLate(now, found, acquisition, place));
        boolean quiet = !found && signalsArrive && now - stretchFrom >= 0 && (precise || untilNext == null);
        long atMost = now + (quiet ? stretched : maxIdleInterval);
        // This process left a signal that arrived during the scan to the owner.
        boolean missed = precise && heard.get();
        nextScan = missed ? now : precise || (found && atOnce) ? earlier(next, atMost) : atMost;
    }

    private boolean standInIfLate(long now, boolean found, Acquisition acquisition, int place) {
        long late = Math.min(LATE.toNanos(), maxIdleInterval / 2);
        lateScans = found && acquisition.late().toNanos() > late ? lateScans + 1 : 0;
        if (lateScans >= place) {
            standInUntil = now + LONGEST_STRETCH * maxIdleInterval;
        }
        return standsIn(now);
    }

    /** Converts to nanoseconds without overflow, even if a task is due in thousands of years. */
    private static long nanos(@Nullable Duration untilNext) {
        return (untilNext == null || untilNext.compareTo(NEVER) >= 0 ? NEVER : untilNext).toNanos();
    }

    private static long earlier(long a, long b) {
        return (a - b <= 0) ? a : b;
    }
}
