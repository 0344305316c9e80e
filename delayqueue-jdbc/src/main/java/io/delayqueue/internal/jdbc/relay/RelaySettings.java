// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * How the relay works.
 *
 * @param lease how long a row is left to the process that has inserted or taken it
 * @param pollInterval how often a sweep looks for rows when there are none
 * @param batchSize rows that are sent together at most
 * @param buffer rows of transactions that have just committed, kept in memory until they are sent
 * @param longestPause between two tries while Redis or the database fails
 */
public record RelaySettings(Duration lease, Duration pollInterval, int batchSize, int buffer, Duration longestPause) {

    /** A lease of 15 s, a look every second, 500 rows at a time, 10,000 in memory, pauses of up to 5 s. */
    public static final RelaySettings DEFAULT =
            new RelaySettings(Duration.ofSeconds(15), Duration.ofSeconds(1), 500, 10_000, Duration.ofSeconds(5));

    /** How long a row may still be sent whose lease began at a moment before; both by {@link System#nanoTime}. */
    Duration leftToSend(long leaseBeganNanos, long nowNanos) {
        return Duration.ofNanos(lastSendNanos(leaseBeganNanos + lease.toNanos()) - nowNanos);
    }

    /** The last moment at which sending may begin, so that it ends within the lease. */
    long lastSendNanos(long ourUntilNanos) {
        return ourUntilNanos - lease.toNanos() / 2;
    }
}
