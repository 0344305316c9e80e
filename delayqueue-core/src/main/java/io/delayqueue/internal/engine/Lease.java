// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to deliver one task, as this process knows it. Reckoned in this process's monotonic time from before each
 * call to the store was sent, so it never seems to last longer than it does. Safe for use by many threads.
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

    /** Whether someone else may have the task by now: the store said so, or the time is over. */
    boolean isLost() {
        return lost || endNanos - System.nanoTime() <= 0;
    }

    /** The store put off the end. */
    void renewedUntil(long newEndNanos) {
        if (newEndNanos - endNanos > 0) {
            endNanos = newEndNanos;
        }
    }

    /** Notes that the task was scheduled or rescheduled meanwhile and waits for the end of this lease. */
    void waitedFor() {
        if (!isWaitedFor) {
            waitedForSinceNanos = System.nanoTime();
            isWaitedFor = true;
        }
    }

    /** Returns for how long the task is known to wait for the end of this lease, or {@code null} if it does not. */
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

    /** The store said that the lease is another's. */
    void lost() {
        lost = true;
    }
}
