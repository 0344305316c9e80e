// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/** When to try again after trouble: pauses that double from a first one up to a longest one. Safe for many threads. */
final class GrowingPause {

    private final BackOff backOff;
    private BackOffExecution pauses;
    private long until = System.nanoTime();

    GrowingPause(Duration first, Duration longest) {
        this.backOff = DoublingBackOff.between(first, longest);
        this.pauses = backOff.start();
    }

    /** Begins a pause; what fails at the same time as the one that began it adds nothing. */
    synchronized void trouble() {
        if (left().isZero()) {
            until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
        }
    }

    synchronized void reset() {
        pauses = backOff.start();
    }

    /** What is left of the pause; not negative. */
    synchronized Duration left() {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
    }
}
