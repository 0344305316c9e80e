// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/** How many rows are sent together: fewer where they are large or take long, and a few after failures. */
final class BatchLimit {

    /** After failures, to see whether they are over. */
    static final int FEW = 10;

    static final int MOST_BYTES = 4 * 1024 * 1024;

    private final int most;
    private final Duration slow;
    private int limit;

    /**
     * @param first how many to begin with
     * @param most how many it ever are
     * @param lease of the rows; a batch that takes more than a quarter of it is too large
     */
    BatchLimit(int first, int most, Duration lease) {
        this.most = most;
        this.slow = lease.dividedBy(4);
        this.limit = Math.min(first, most);
    }

    int rows() {
        return limit;
    }

    /** @param full whether the batch had as many rows as it might have */
    void sent(boolean full, long bytes, Duration took) {
        if (bytes > MOST_BYTES || took.compareTo(slow) > 0) {
            limit = Math.max(1, limit / 2);
        } else if (full && bytes < MOST_BYTES / 4 && took.compareTo(slow.dividedBy(2)) < 0) {
            limit = Math.min(most, 2 * limit);
        }
    }
}
