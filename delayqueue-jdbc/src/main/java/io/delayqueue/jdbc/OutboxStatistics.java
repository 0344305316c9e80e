// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Duration;
import java.time.Instant;

/**
 * The contents of the outbox. In a healthy system it is almost empty, and nothing is overdue.
 *
 * @param backlog number of tasks with operations that have not reached Redis, counted up to {@link #MOST_COUNTED}
 * @param overdue longest time that a row has been waiting for a sweep; zero if none is waiting
 * @param oldest age of the oldest counted row; zero if there is none. It grows while Redis refuses a row, which is
 *     retried and does not count as overdue
 * @param rejected number of rejected entries, counted up to {@link #MOST_COUNTED}
 * @param readAt time of the read, by the clock of this process
 */
public record OutboxStatistics(long backlog, Duration overdue, Duration oldest, long rejected, Instant readAt) {

    /** Limits the cost of counting a large table. */
    public static final int MOST_COUNTED = 100_000;
}
