// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * How long to wait after some work before it is done again: some times as long as the work took, so that short rounds,
 * as when there is little in each, take no more than their share of a processor however many callers there are; and
 * never so long that somebody would notice. For one thread.
 */
final class Rest {

    static final Duration LONGEST = Duration.ofMillis(2);

    private static final int TIMES = 4;

    private long untilNanos = System.nanoTime();

    /** The work is done; its beginning and its end are by {@link System#nanoTime}. */
    void after(long beganNanos, long endedNanos) {
        untilNanos = endedNanos + Math.min(LONGEST.toNanos(), TIMES * (endedNanos - beganNanos));
    }

    /** Zero or less if there is nothing to wait for. */
    long remainingNanos(long nowNanos) {
        return untilNanos - nowNanos;
    }
}
