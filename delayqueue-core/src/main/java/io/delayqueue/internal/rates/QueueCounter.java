// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rates;

import io.delayqueue.internal.engine.DeliveryEvents.Ending;
import io.delayqueue.internal.store.LatenessBuckets;
import io.delayqueue.internal.store.RateCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What this process has counted of a queue since it started, and up to where others know of it. Counting is for many threads, the
 * rest for one at a time.
 */
final class QueueCounter {

    private final LongSupplier scheduled;
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private final AtomicLongArray lateness = new AtomicLongArray(LatenessBuckets.COUNT);
    private final long[] toldLateness = new long[LatenessBuckets.COUNT];
    private RateCounts told = new RateCounts(0, 0, 0, 0, Map.of());

    /** @param scheduled how many tasks were stored so far */
    QueueCounter(LongSupplier scheduled) {
        this.scheduled = scheduled;
    }

    void begun(Duration late) {
        lateness.incrementAndGet(LatenessBuckets.of(late));
    }

    void ended(Ending ending) {
        switch (ending) {
            case DELIVERED -> delivered.increment();
            case FAILED -> failed.increment();
            case DEAD -> dead.increment();
            case POSTPONED, RELEASED -> {}
        }
    }

    /** What was counted and not told yet. */
    RateCounts untold() {
        Map<Integer, Long> buckets = new HashMap<>();
        for (int i = 0; i < LatenessBuckets.COUNT; i++) {
            long more = lateness.get(i) - toldLateness[i];
            if (more > 0) {
                buckets.put(i, more);
            }
        }
        return new RateCounts(
                scheduled.getAsLong() - told.scheduled(),
                delivered.sum() - told.delivered(),
                failed.sum() - told.failed(),
                dead.sum() - told.dead(),
                buckets);
    }

    /** Takes what {@link #untold} answered for told. */
    void told(RateCounts counts) {
        told = new RateCounts(
                told.scheduled() + counts.scheduled(),
                told.delivered() + counts.delivered(),
                told.failed() + counts.failed(),
                told.dead() + counts.dead(),
                Map.of());
        counts.lateness().forEach((bucket, count) -> toldLateness[bucket] += count);
    }
}
