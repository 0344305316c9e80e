// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/** Pauses after failures. Each pause is twice as long as the previous one, up to a maximum. Thread-safe. */
public final class GrowingPause {

    private final BackOff backOff;
    private BackOffExecution pauses;
    private long until = System.nanoTime();

    public GrowingPause(Duration first, Duration longest) {
        this.backOff = DoublingBackOff.between(first, longest);
        this.pauses = backOff.start();
    }

    /** Starts a pause, unless one is already running. */
    public synchronized void trouble() {
        if (left().isZero()) {
            until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
        }
    }

    /** Resets the next pause to the initial one. */
    public synchronized void reset() {
        pauses = backOff.start();
    }

    /** Returns the remaining pause, or zero. */
    public synchronized Duration left() {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
    }
}
