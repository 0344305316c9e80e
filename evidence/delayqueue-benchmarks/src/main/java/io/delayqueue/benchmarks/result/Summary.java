// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Values of several rounds or turns.
 *
 * @param median the middle one, or the mean of the middle two
 * @param min the least
 * @param max the greatest
 * @param lower the lower quartile: a quarter of them are less
 * @param upper the upper quartile
 * @param count how many
 */
record Summary(double median, double min, double max, double lower, double upper, int count) {

    /** Null of none. */
    static @Nullable Summary ofAny(Collection<Double> values) {
        return values.isEmpty() ? null : of(values);
    }

    static Summary of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("No values");
        }
        return new Summary(
                at(0.5, sorted), at(0, sorted), at(1, sorted), at(0.25, sorted), at(0.75, sorted), sorted.length);
    }

    /** What lies at such a share of the way from the least to the greatest, maybe between two of them. */
    private static double at(double share, double[] sorted) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
