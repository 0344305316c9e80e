// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lateness of first deliveries, counted in buckets. Values are accurate to 9% or one millisecond, whichever is larger.
 * Immutable.
 *
 * @param buckets number of deliveries by {@link LatenessBuckets bucket}
 */
public record Lateness(SortedMap<Integer, Long> buckets) {

    /** No deliveries. */
    public static final Lateness NONE = of(Map.of());

    static Lateness of(Map<Integer, Long> buckets) {
        return new Lateness(Collections.unmodifiableSortedMap(new TreeMap<>(buckets)));
    }

    public long count() {
        return buckets.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns a quantile of the lateness.
     *
     * @param part share of the deliveries from 0 to 1, such as 0.99
     * @return the quantile; null if there are no deliveries
     */
    public @Nullable Duration quantile(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException("A quantile must be between 0 and 1, but is " + part);
        }
        long rank = Math.max(1, (long) Math.ceil(part * count()));
        long seen = 0;
        for (Map.Entry<Integer, Long> bucket : buckets.entrySet()) {
            seen += bucket.getValue();
            if (seen >= rank) {
                return LatenessBuckets.middle(bucket.getKey());
            }
        }
        return null;
    }

    public Lateness plus(Lateness other) {
        Map<Integer, Long> sum = new TreeMap<>(buckets);
        other.buckets.forEach((bucket, more) -> sum.merge(bucket, more, Long::sum));
        return of(sum);
    }
}
