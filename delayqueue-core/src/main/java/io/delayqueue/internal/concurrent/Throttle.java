// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Allows one event per period, for example one log line. Thread-safe. */
public record Throttle(long periodNanos, LongSupplier nanoTime, AtomicLong nextNanos) {

    public Throttle(Duration period) {
        this(period, System::nanoTime);
    }

    public Throttle(Duration period, LongSupplier nanoTime) {
        this(period.toNanos(), nanoTime, new AtomicLong(nanoTime.getAsLong()));
    }

    /** Returns whether to allow an event: {@code true} for the first one, and for the first one after each period. */
    public boolean passes() {
        long now = nanoTime.getAsLong();
        long next = nextNanos.get();
        return now - next >= 0 && nextNanos.compareAndSet(next, now + periodNanos);
    }
}
