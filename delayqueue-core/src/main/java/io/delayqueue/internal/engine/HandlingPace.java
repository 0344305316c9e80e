// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * Estimates how many deliveries a worker can start within 200 ms, from how long the latest ones took. Until the first delivery has
 * ended the estimate is one. Safe for use by many threads.
 */
final class HandlingPace {

    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(200);

    /** The share that the latest batch has in the average. */
    private static final double WEIGHT = 0.3;

    private final int most;
    private boolean known;
    private double nanosEach;

    /** @param most deliveries that a worker takes at once, however quick they are */
    HandlingPace(int most) {
        this.most = most;
    }

    /** Returns how many a worker may take. */
    synchronized int startable() {
        return known ? (int) Math.max(1, Math.min(most, SOON / Math.max(1, nanosEach))) : 1;
    }

    /** Notes how long a worker took for the deliveries of a batch, one after another. */
    synchronized void took(int deliveries, long nanos) {
        double latest = (double) nanos / deliveries;
        nanosEach = known ? nanosEach + WEIGHT * (latest - nanosEach) : latest;
        known = true;
    }
}
