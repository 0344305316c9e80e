// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * Adjusts the number of rows that are sent together: fewer if they are large or slow to send, or after failures.
 *
 * <p>Compares the duration of sending with the time that was left for it. The time for reading does not count: while
 * the pool has no free connection, reading one row takes as long as reading hundreds. If no time was left for sending,
 * the next batch is smaller, so that this process does not reserve more rows than it can send.
 */
final class BatchLimit {

    /** Batch size after failures, to find out whether sending works again. */
    static final int FEW = 10;

    static final int MOST_BYTES = 4 * 1024 * 1024;

    private final int most;
    private int limit;

    /**
     * @param first the initial batch size
     * @param most the maximum batch size
     */
    BatchLimit(int first, int most) {
        this.most = most;
        this.limit = Math.min(first, most);
    }

    int rows() {
        return limit;
    }

    /**
     * Halves the size if sending took more than half of its time, and doubles it if sending took less than a quarter.
     *
     * @param full whether the batch had the maximum number of rows
     * @param left time that was left of the lease when sending began; zero or negative if none
     * @param took duration of sending, without reading
     */
    void sent(boolean full, long bytes, Duration left, Duration took) {
        if (bytes > MOST_BYTES || took.multipliedBy(2).compareTo(left) > 0) {
            halve();
        } else if (full && bytes < MOST_BYTES / 4 && took.multipliedBy(4).compareTo(left) < 0) {
            limit = Math.min(most, 2 * limit);
        }
    }

    void halve() {
        limit = Math.max(1, limit / 2);
    }
}
