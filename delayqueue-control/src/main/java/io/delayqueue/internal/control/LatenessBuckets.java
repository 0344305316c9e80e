// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Duration;

/**
 * The buckets in which lateness is counted: up to a millisecond, and from there on four for each doubling, up to 24 days. So the
 * middle of a bucket is off by 9 % at most from whatever is in it.
 */
public final class LatenessBuckets {

    private static final int FOR_EACH_DOUBLING = 4;
    private static final int DOUBLINGS = 31;

    /** How many there are; their numbers are from 0 on. */
    public static final int COUNT = 1 + FOR_EACH_DOUBLING * DOUBLINGS;

    private static final double LOG_2 = Math.log(2);

    private LatenessBuckets() {}

    /** The number of the one for a lateness; longer ones than there are buckets for are in the last. */
    public static int of(Duration lateness) {
        double millis = lateness.getSeconds() * 1e3 + lateness.getNano() / 1e6;
        return millis <= 1 ? 0 : (int) Math.min(COUNT - 1, Math.ceil(FOR_EACH_DOUBLING * Math.log(millis) / LOG_2));
    }

    /** What a lateness in it is taken for: a millisecond in the first one, else the geometric middle. */
    public static Duration middle(int bucket) {
        double millis = bucket == 0 ? 1 : Math.pow(2, (bucket - 0.5) / FOR_EACH_DOUBLING);
        return Duration.ofNanos(Math.round(millis * 1e6));
    }
}
