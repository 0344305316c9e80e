// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Values of several rounds.
 *
 * @param median the middle one, or the mean of the middle two
 * @param min the least
 * @param max the greatest
 * @param rounds how many
 */
record Summary(double median, double min, double max, int rounds) {

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
        int middle = sorted.length / 2;
        double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Summary(
                median,
                sorted[0],
                Arrays.stream(sorted).reduce((first, last) -> last).getAsDouble(),
                sorted.length);
    }
}
