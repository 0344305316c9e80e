// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * How the relay works.
 *
 * @param enabled false if this process leaves everything to others
 * @param lease how long a row is left to the process that has inserted or taken it
 * @param pollInterval how often a sweep looks for rows when there are none
 * @param batchSize rows that are sent together at most
 * @param buffer rows of transactions that have just committed, kept in memory until they are sent
 * @param longestPause between two tries while Redis or the database fails
 */
public record RelaySettings(
        boolean enabled, Duration lease, Duration pollInterval, int batchSize, int buffer, Duration longestPause) {

    /** Returns the last moment at which sending may begin, so that it ends within the lease. */
    long lastSendNanos(long ourUntilNanos) {
        return ourUntilNanos - lease.toNanos() / 2;
    }
}
