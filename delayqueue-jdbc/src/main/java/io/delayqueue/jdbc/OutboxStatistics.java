// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Duration;
import java.time.Instant;

/**
 * How much the outbox holds. In a healthy system there is next to nothing in it, and nothing is overdue.
 *
 * @param backlog tasks of which operations have not reached Redis; no more than {@link #MOST_COUNTED} are counted
 * @param overdue for how long the row is waiting for a sweep that waits longest; zero if none does
 * @param rejected entries that were put aside; no more than {@link #MOST_COUNTED} are counted
 * @param readAt when that was read, by the clock of this process
 */
public record OutboxStatistics(long backlog, Duration overdue, long rejected, Instant readAt) {

    /** So that a look at a huge table costs little. */
    public static final int MOST_COUNTED = 100_000;
}
