// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;

/**
 * How many rows are sent together: fewer where they are large or take long to send, and a few after failures.
 *
 * <p>Only the sending counts, measured by the time that was left for it. What goes before it takes as long for one row as
 * for hundreds where the database hands out its connections late, and one row at a time would never be done. Where it
 * leaves no time at all, there are fewer rows too, so that no more are kept from other processes than can be sent.
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
