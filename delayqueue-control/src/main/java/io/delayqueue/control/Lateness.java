// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.internal.control.LatenessBuckets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How late deliveries began: those of tasks that were delivered for the first time, counted in buckets, so that what is said of
 * them is off by 9 % at most, and by a millisecond where that is more. Immutable.
 */
public final class Lateness {

    /** Of no deliveries. */
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

    /** Of how many deliveries. */
    public long count() {
        return count;
    }

    /**
     * How late the delivery was that was later than this part of them.
     *
     * @param part from 0 to 1, such as 0.99
     * @return null where there are none
     */
    public @Nullable Duration quantile(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException("A quantile is from 0 to 1, but " + part + " was asked for");
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

    /** Of both together. */
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
