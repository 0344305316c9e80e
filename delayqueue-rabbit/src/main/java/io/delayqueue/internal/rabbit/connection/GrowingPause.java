// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/** Pauses after trouble, which double from a first one up to a longest one. Thread-safe. */
public final class GrowingPause {

    private final BackOff backOff;
    private BackOffExecution pauses;
    private long until = System.nanoTime();

    public GrowingPause(Duration first, Duration longest) {
        this.backOff = DoublingBackOff.between(first, longest);
        this.pauses = backOff.start();
    }

    /** Begins a pause, unless there is one. */
    public synchronized void trouble() {
        if (left().isZero()) {
            until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
        }
    }

    /** Makes the next pause the first one again. */
    public synchronized void reset() {
        pauses = backOff.start();
    }

    /** Returns what is left of the pause, or zero. */
    public synchronized Duration left() {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
    }
}
