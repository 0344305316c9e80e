// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * This process's view of a lease. Counts the duration from before each call to the store, so it never overstates the
 * remaining time. Thread-safe.
 */
final class Lease {

    private final long token;
    private volatile long endNanos;
    private volatile boolean lost;
    private volatile @Nullable Long waitedForSince;
    private final AtomicBoolean abandoned = new AtomicBoolean();

    Lease(long token, long endNanos) {
        this.token = token;
        this.endNanos = endNanos;
    }

    long token() {
        return token;
    }

    Duration remaining() {
        return Duration.ofNanos(endNanos - System.nanoTime());
    }

    /**
     * Returns whether another process may have the task, because the store has reported it or the lease has expired.
     */
    boolean isLost() {
        return lost || endNanos - System.nanoTime() <= 0;
    }

    /** Records that the store has extended the lease. */
    void renewedUntil(long newEndNanos) {
        if (newEndNanos - endNanos > 0) {
            endNanos = newEndNanos;
        }
    }

    /** Records that the task was scheduled or rescheduled during this lease and waits for its end. */
    void waitedFor() {
        if (waitedForSince == null) {
            waitedForSince = System.nanoTime();
        }
    }

    /** Returns how long a task is known to have waited for the end of this lease; {@code null} if none waits. */
    @Nullable
    Duration waited() {
        Long since = waitedForSince;
        return since == null ? null : Duration.ofNanos(System.nanoTime() - since);
    }

    /** Ends the renewals. Returns whether this is the first call. */
    boolean abandon() {
        return abandoned.compareAndSet(false, true);
    }

    /** Records that the store has reported the lease as lost. */
    void lost() {
        lost = true;
    }
}
