// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Allows one event per period, for example one log line. Thread-safe. */
public final class Throttle {

    private final long periodNanos;
    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

    public Throttle(Duration period) {
        this.periodNanos = period.toNanos();
    }

    /** Returns true for the first event, and for the first after each period. */
    public boolean passes() {
        long now = System.nanoTime();
        long next = nextNanos.get();
        return now - next >= 0 && nextNanos.compareAndSet(next, now + periodNanos);
    }
}
