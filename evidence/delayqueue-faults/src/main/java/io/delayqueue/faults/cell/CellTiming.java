// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;

/**
 * The schedule of a cell. The load warms up, continues during and after the fault, and ends. Then the remaining tasks
 * are delivered.
 *
 * @param warmUp minimum time before the fault
 * @param fault duration of the fault
 * @param after duration of the load after the fault
 * @param longestDelay longest delay of a task, which is also the approximate time for the remaining tasks
 */
public record CellTiming(Duration warmUp, Duration fault, Duration after, Duration longestDelay) {

    /** The lease of the applications. */
    public static final Duration LEASE = Duration.ofSeconds(5);

    /** Maximum time between two scans of a shard by the applications. */
    public static final Duration BACK_STOP = Duration.ofSeconds(5);

    private static final Duration LONGEST_DELAY = Duration.ofSeconds(20);

    /** Returns the schedule of a cell of about this length, without the start of the servers. */
    public static CellTiming of(Duration total, Duration faultAtLeast) {
        Duration delay = shorter(total.dividedBy(4), LONGEST_DELAY);
        Duration warmUp = total.dividedBy(12);
        Duration fault = longer(total.dividedBy(3), faultAtLeast);
        Duration after = longer(total.minus(delay).minus(warmUp).minus(fault), total.dividedBy(4));
        return new CellTiming(warmUp, fault, after, delay);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
