// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * Settings of the relay.
 *
 * @param enabled whether the relay runs in this process
 * @param lease how long a row is reserved for the process that inserted or took it
 * @param pollInterval how often a sweep searches when there are no rows
 * @param batchSize maximum number of rows sent together
 * @param buffer maximum number of committed rows kept in memory until they are sent
 * @param longestPause maximum pause between retries while Redis or the database fails
 */
public record RelaySettings(
        boolean enabled, Duration lease, Duration pollInterval, int batchSize, int buffer, Duration longestPause) {

    /** Returns the latest time to start sending within the lease. */
    long lastSendNanos(long ourUntilNanos) {
        return ourUntilNanos - lease.toNanos() / 2;
    }
}
