// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * The number of rows that are sent together: fewer if they are large or take long to send, and a few after failures.
 *
 * <p>Only sending counts, measured by the time that was left for it. Where a pool has no connection to spare, reading one row takes
 * as long as reading hundreds, and small batches would not help. A batch that had no time left is followed by a smaller one, so
 * that this process keeps no more rows from others than it can send.
 */
final class BatchLimit {

    /** After failures, to see whether they are over. */
    static final int FEW = 10;

    static final int MOST_BYTES = 4 * 1024 * 1024;

    private final int most;
    private int limit;

    /**
     * @param first how many to begin with
     * @param most how many it ever are
     */
    BatchLimit(int first, int most) {
        this.most = most;
        this.limit = Math.min(first, most);
    }

    int rows() {
        return limit;
    }

    /**
     * Half as many follow a batch whose sending took more than half of its time; twice as many one that took less than a
     * quarter of it.
     *
     * @param full whether the batch had as many rows as it might have
     * @param left when sending began, for a row whose lease had begun with the batch; not positive if it was over
     * @param took the sending alone
     */
    void sent(boolean full, long bytes, Duration left, Duration took) {
        if (bytes > MOST_BYTES || took.multipliedBy(2).compareTo(left) > 0) {
            limit = Math.max(1, limit / 2);
        } else if (full && bytes < MOST_BYTES / 4 && took.multipliedBy(4).compareTo(left) < 0) {
            limit = Math.min(most, 2 * limit);
        }
    }
}
