// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Counts what happens, for the summary line. */
@Component
class ShopCounters {

    private static final int MOST_REMEMBERED = 10_000;

    private final AtomicLong placed = new AtomicLong();
    private final AtomicLong paid = new AtomicLong();
    private final AtomicLong extended = new AtomicLong();
    private final AtomicLong closed = new AtomicLong();
    private final AtomicLong late = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final List<Long> latenessMillis = Collections.synchronizedList(new ArrayList<>());

    void placed() {
        placed.incrementAndGet();
    }

    void paid() {
        paid.incrementAndGet();
    }

    void extended() {
        extended.incrementAndGet();
    }

    void closed(Duration lateness) {
        closed.incrementAndGet();
        if (latenessMillis.size() < MOST_REMEMBERED) {
            latenessMillis.add(lateness.toMillis());
        }
    }

    /** Counts a time-out of an order that was already paid or closed. */
    void closedTooLate() {
        late.incrementAndGet();
    }

    void duplicate() {
        duplicates.incrementAndGet();
    }

    long closedSoFar() {
        return closed.get();
    }

    long duplicatesSoFar() {
        return duplicates.get();
    }

    /** Returns one line with the totals, and the lateness of closes since the previous line. */
    String summary(long open, long delayed) {
        List<Long> recent;
        synchronized (latenessMillis) {
            recent = new ArrayList<>(latenessMillis);
            latenessMillis.clear();
        }
        Collections.sort(recent);
        String lateness = recent.isEmpty()
                ? "no closes since the last line"
                : "lateness of the last %d closes: median %d ms, max %d ms"
                        .formatted(recent.size(), recent.get(recent.size() / 2), recent.get(recent.size() - 1));
        String orders = "orders placed %d, paid %d, extended %d, closed %d, open %d"
                .formatted(placed.get(), paid.get(), extended.get(), closed.get(), open);
        String tasks = "delayed tasks %d, for ended orders %d, duplicates dropped %d"
                .formatted(delayed, late.get(), duplicates.get());
        return orders + "; " + tasks + "; " + lateness;
    }
}
