// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Duration;
import java.time.Instant;

/**
 * How much the outbox holds. In a healthy system there is next to nothing in it, and nothing is overdue.
 *
 * @param backlog tasks of which operations have not reached Redis; no more than {@link #MOST_COUNTED} are counted
 * @param overdue for how long the row is waiting for a sweep that waits longest; zero if none does
 * @param oldest how long ago the oldest row was made of those that are counted; zero if there is none. It grows while
 *     Redis refuses a row, which is tried again and again and is never overdue
 * @param rejected entries that were put aside; no more than {@link #MOST_COUNTED} are counted
 * @param readAt when that was read, by the clock of this process
 */
public record OutboxStatistics(long backlog, Duration overdue, Duration oldest, long rejected, Instant readAt) {

    /** So that a look at a huge table costs little. */
    public static final int MOST_COUNTED = 100_000;
}
