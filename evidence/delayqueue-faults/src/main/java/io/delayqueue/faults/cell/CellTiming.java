// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;

/**
 * How the time of a cell is spent: the load warms up, goes on while the fault happens and after it, and ends; then what
 * it left is delivered.
 *
 * @param warmUp before the fault, at least
 * @param fault the fault
 * @param after the load after the fault
 * @param longestDelay of a task, so also how long the rest takes about
 */
public record CellTiming(Duration warmUp, Duration fault, Duration after, Duration longestDelay) {

    /** The lease of the applications. */
    public static final Duration LEASE = Duration.ofSeconds(5);

    /** How long the applications sleep at most between two scans of a shard. */
    public static final Duration BACK_STOP = Duration.ofSeconds(5);

    private static final Duration LONGEST_DELAY = Duration.ofSeconds(20);

    /** Of a cell that takes about so long in all, but for starting servers. */
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
