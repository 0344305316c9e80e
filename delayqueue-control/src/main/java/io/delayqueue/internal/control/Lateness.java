// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lateness of first deliveries, counted in buckets. Values are accurate to 9 % or one millisecond, whichever is larger.
 * Immutable.
 */
public final class Lateness {

    /** No deliveries. */
    public static final Lateness NONE = new Lateness(Map.of());

    private final TreeMap<Integer, Long> buckets;
    private final long count;

    private Lateness(Map<Integer, Long> buckets) {
        this.buckets = new TreeMap<>(buckets);
        this.count = buckets.values().stream().mapToLong(Long::longValue).sum();
    }

    static Lateness of(Map<Integer, Long> buckets) {
        return new Lateness(buckets);
    }

    public long count() {
        return count;
    }

    /**
     * Returns a quantile of the lateness.
     *
     * @param part from 0 to 1, such as 0.99
     * @return null if there are no deliveries
     */
    public @Nullable Duration quantile(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException("A quantile is from 0 to 1, but was " + part);
        }
        long rank = Math.max(1, (long) Math.ceil(part * count));
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
        return new Lateness(sum);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Lateness lateness && buckets.equals(lateness.buckets);
    }

    @Override
    public int hashCode() {
        return buckets.hashCode();
    }

    @Override
    public String toString() {
        return "Lateness[count=" + count + ", p50=" + quantile(0.5) + ", p99=" + quantile(0.99) + "]";
    }
}
