// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Growing pauses after errors in a row, and a warning for the first and then once in 30 seconds. For one thread. */
final class ErrorPause {

    private static final long WARNING_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Duration first;
    private final Duration longest;
    private int errors;
    private long lastWarning;

    ErrorPause(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    /** Counts an error and returns how long to pause. */
    Duration next() {
        Duration pause = first.multipliedBy(1L << Math.min(errors, 10));
        errors++;
        return pause.compareTo(longest) > 0 ? longest : pause;
    }

    /** Whether the error just counted should be logged as a warning. */
    boolean isWorthAWarning() {
        long now = System.nanoTime();
        if (errors == 1 || now - lastWarning >= WARNING_INTERVAL_NANOS) {
            lastWarning = now;
            return true;
        }
        return false;
    }

    /** Whether the last time it was an error. */
    boolean hasErrors() {
        return errors > 0;
    }

    /** Forgets the errors; returns whether there were any. */
    boolean reset() {
        boolean any = errors > 0;
        errors = 0;
        return any;
    }
}
