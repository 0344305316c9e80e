// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.time.Duration;

/** When to try again after trouble: pauses that double from 100 ms up to a longest one. Safe for many threads. */
final class ReconnectPause {

    private static final Duration FIRST = Duration.ofMillis(100);

    private final Duration longest;
    private int troubles;
    private long until = System.nanoTime();

    ReconnectPause(Duration longest) {
        this.longest = longest;
    }

    /** Begins a pause; what fails at the same time as the one that began it adds nothing. */
    synchronized void trouble() {
        if (!left().isZero()) {
            return;
        }
        Duration pause = FIRST.multipliedBy(1L << Math.min(troubles, 12));
        troubles++;
        until = System.nanoTime() + (pause.compareTo(longest) > 0 ? longest : pause).toNanos();
    }

    synchronized void reset() {
        troubles = 0;
    }

    /** What is left of the pause; not negative. */
    synchronized Duration left() {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
    }
}
