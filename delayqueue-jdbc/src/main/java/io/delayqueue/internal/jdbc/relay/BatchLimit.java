// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * Adjusts the number of rows that are sent together: fewer if they are large or slow to send, and a few after failures.
 *
 * <p>Only the time for sending counts, relative to the time that was left for sending. If a pool has no free
 * connection, reading one row takes as long as reading hundreds, so small batches would not help. After a batch with no
 * time left, the next one is smaller, so that this process does not reserve more rows than it can send.
 */
final class BatchLimit {

    /** Batch size after failures, to test whether they are over. */
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
     * @param left time left when sending began, for a row whose lease started with the batch; zero or negative if none
     * @param took duration of the sending alone
     */
    void sent(boolean full, long bytes, Duration left, Duration took) {
        if (bytes > MOST_BYTES || took.multipliedBy(2).compareTo(left) > 0) {
            limit = Math.max(1, limit / 2);
        } else if (full && bytes < MOST_BYTES / 4 && took.multipliedBy(4).compareTo(left) < 0) {
            limit = Math.min(most, 2 * limit);
        }
    }
}
