// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to deliver one task, as this process knows it. Measured in this process's monotonic time from before each
 * call to the store, so it never overstates. Thread-safe.
 */
final class Lease {

    private final long token;
    private volatile long endNanos;
    private volatile boolean lost;
    private volatile long waitedForSinceNanos;
    private volatile boolean isWaitedFor;
    private volatile boolean abandoned;

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

    /** Returns whether another process may have the task: the store reported it, or the time is over. */
    boolean isLost() {
        return lost || endNanos - System.nanoTime() <= 0;
    }

    /** Records that the store has extended the lease. */
    void renewedUntil(long newEndNanos) {
        if (newEndNanos - endNanos > 0) {
            endNanos = newEndNanos;
        }
    }

    /** Records that the task, scheduled or rescheduled in the meantime, waits for the end of this lease. */
    void waitedFor() {
        if (!isWaitedFor) {
            waitedForSinceNanos = System.nanoTime();
            isWaitedFor = true;
        }
    }

    /** Returns how long the task is known to have waited for the end of this lease, or {@code null} if it does not. */
    @Nullable
    Duration waited() {
        return isWaitedFor ? Duration.ofNanos(System.nanoTime() - waitedForSinceNanos) : null;
    }

    /** Ends the renewals. Returns whether this is the first call. */
    boolean abandon() {
        boolean first = !abandoned;
        abandoned = true;
        return first;
    }

    /** Records that another process holds the lease, as the store has reported. */
    void lost() {
        lost = true;
    }
}
