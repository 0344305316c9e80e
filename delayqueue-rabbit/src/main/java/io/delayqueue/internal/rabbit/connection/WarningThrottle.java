// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Allows one warning every 30 seconds. Thread-safe. */
public final class WarningThrottle {

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LongSupplier nanoTime;
    private final AtomicLong next;

    public WarningThrottle() {
        this(System::nanoTime);
    }

    public WarningThrottle(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.next = new AtomicLong(nanoTime.getAsLong());
    }

    /** Returns whether to warn. After {@code true}, returns {@code false} for 30 seconds. */
    public boolean isDue() {
        long now = nanoTime.getAsLong();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + INTERVAL_NANOS);
    }
}
