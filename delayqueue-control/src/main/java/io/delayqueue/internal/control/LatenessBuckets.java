// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Duration;

/**
 * Buckets for lateness: the first for up to a millisecond, then four for each doubling, up to 24 days. Each value in a
 * bucket is within 9% of the bucket's middle.
 */
public final class LatenessBuckets {

    private static final int FOR_EACH_DOUBLING = 4;
    private static final int DOUBLINGS = 31;

    /** Number of buckets, numbered from 0. */
    public static final int COUNT = 1 + FOR_EACH_DOUBLING * DOUBLINGS;

    private static final double LOG_2 = Math.log(2);

    private LatenessBuckets() {}

    /** Returns the bucket for a lateness. The last bucket includes all longer values. */
    public static int of(Duration lateness) {
        double millis = lateness.getSeconds() * 1e3 + lateness.getNano() / 1e6;
        return millis <= 1 ? 0 : (int) Math.min(COUNT - 1, Math.ceil(FOR_EACH_DOUBLING * Math.log(millis) / LOG_2));
    }

    /** Returns the representative value of a bucket: a millisecond for the first, otherwise the geometric middle. */
    public static Duration middle(int bucket) {
        double millis = bucket == 0 ? 1 : Math.pow(2, (bucket - 0.5) / FOR_EACH_DOUBLING);
        return Duration.ofNanos(Math.round(millis * 1e6));
    }
}
