// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.store.Acquisition;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * When one shard is to be scanned next. Only passes touch this, except for the methods that say otherwise.
 *
 * <p>A shard in which nothing happens is scanned once in a max-idle-interval, and while wake signals are known to arrive once
 * in {@value #LONGEST_STRETCH} of them. A scan that finds something which no signal announced puts off this stretch by {@value
 * #LONGEST_STRETCH} times as long.
 */
final class ScannedShard {

    static final int LONGEST_STRETCH = 12;
    private static final Duration FIRST_ERROR_PAUSE = Duration.ofMillis(50);
    private static final long WARNING_INTERVAL = TimeUnit.SECONDS.toNanos(30);
    private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(50);
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
    /** From when on to stretch. */
    private long stretchFrom;

    private volatile @Nullable BackOffExecution failures;
    private long lastWarning;

    /**
     * A shard to be scanned now.
     *
     * @param ahead from 0 to 1: by how much less than the longest stretch to wait where nothing happens, 1 meaning half
     *     of it. Of many idle shards each should have another, so that they are not all looked at in the same moment
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
    }

    int shard() {
        return shard;
    }

    /** The shard is to be scanned at once. Any thread. */
    void wake() {
        woken.set(true);
    }

    /**
     * The shard has work earlier than known, but someone else is to see to it: the longest idle interval will do. Any
     * thread.
     */
    void hear() {
        heard.set(true);
    }

    /** So many more tasks of the shard are under lease here, or fewer. Any thread. */
    void addLeased(int tasks) {
        leased.addAndGet(tasks);
    }

    /** How many tasks of the shard are under lease here. */
    int leased() {
        return leased.get();
    }

    boolean isScanning() {
        return scanning;
    }

    /** When it wants to be scanned. */
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

    /** Returns whether the last scan has failed. Any thread. */
    boolean hasFailed() {
        return failures != null;
    }

    /** The next scan is after a pause that grows from failure to failure. */
    void scanFailed(long now) {
        BackOffExecution pauses = failures;
        if (pauses == null) {
            pauses = errorPauses.start();
            failures = pauses;
            lastWarning = now - WARNING_INTERVAL;
        }
        goOnAfter(now, TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff()));
    }

    /** The scan has ended, but nobody knows how: the next one is after an idle interval. */
    void scanBroke(long now) {
        goOnAfter(now, maxIdleInterval);
    }

    private void goOnAfter(long now, long pause) {
        scanning = false;
        nextScan = now + pause;
        promised = nextScan;
    }

    /** Whether a warning is in order: after the first failure in a row, and then once in 30 s. */
    boolean isWorthAWarning(long now) {
        boolean worth = now - lastWarning >= WARNING_INTERVAL;
        if (worth) {
            lastWarning = now;
        }
        return worth;
    }

    /** Forgets failures; answers whether there were any. */
    boolean recovers() {
        boolean failed = hasFailed();
        failures = null;
        return failed;
    }

    /**
     * Plans the next scan.
     *
     * @param precise whether to come back when the next task is due, and not just at the longest idle interval
     * @param signalsArrive whether wake signals are known to arrive
     */
    void scanned(Acquisition acquisition, long now, boolean precise, boolean signalsArrive) {
        scanning = false;
        Duration untilNext = acquisition.untilNext();
        boolean found = !acquisition.tasks().isEmpty();
        boolean atOnce = untilNext != null && untilNext.isZero();
        long next = atOnce ? now : acquisition.callNanoTime() + nanos(untilNext);
        if (!announced && (found || promised - next > TOLERANCE)) {
            stretchFrom = now + LONGEST_STRETCH * LONGEST_STRETCH * maxIdleInterval;
        }
        promised = next;
        boolean quiet = !found && signalsArrive && now - stretchFrom >= 0 && (precise || untilNext == null);
        long atMost = now + (quiet ? stretched : maxIdleInterval);
        nextScan = precise || (found && atOnce) ? earlier(next, atMost) : atMost;
    }

    /** A task may be due in thousands of years, which are more nanoseconds than a number holds. */
    private static long nanos(@Nullable Duration untilNext) {
        return (untilNext == null || untilNext.compareTo(NEVER) >= 0 ? NEVER : untilNext).toNanos();
    }

    private static long earlier(long a, long b) {
        return (a - b <= 0) ? a : b;
    }
}
