// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * Estimates, from the duration of recent deliveries, how many a worker can start within 200 ms. The estimate is 1 until
 * the first delivery has ended. Thread-safe.
 */
final class HandlingPace {

    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(200);

    /** The weight of the latest batch in the average. */
    private static final double WEIGHT = 0.3;

    private final int most;
    private boolean known;
    private double nanosEach;

    /** @param most maximum number of deliveries that a worker takes together */
    HandlingPace(int most) {
        this.most = most;
    }

    /** Returns how many deliveries a worker may take. */
    synchronized int startable() {
        return known ? (int) Math.max(1, Math.min(most, SOON / Math.max(1, nanosEach))) : 1;
    }

    /** Records the duration of a batch's consecutive deliveries. */
    synchronized void took(int deliveries, long nanos) {
        double latest = (double) nanos / deliveries;
        nanosEach = known ? nanosEach + WEIGHT * (latest - nanosEach) : latest;
        known = true;
    }
}
