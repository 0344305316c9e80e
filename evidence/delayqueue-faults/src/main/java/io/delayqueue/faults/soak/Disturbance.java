// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.CheckSettings.Window;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A fault of a run.
 *
 * @param name of the cell
 * @param description what was done
 * @param from when, in the time of {@link io.delayqueue.faults.history.Entry#micros()}
 * @param to when all was mended; null if that is not known
 */
record Disturbance(
        String name,
        String description,
        long from,
        @Nullable Long to) {

    /** So long after a fault deliveries may be late still; a fault run judges them from then on. */
    static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(30);

    Disturbance endedAt(long micros) {
        return new Disturbance(name, description, from, micros);
    }

    /** What was due so shortly before a fault may be on its way still when that begins. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

    /** From its begin, and a little before, until it is forgotten. */
    Window window() {
        return new Window(
                from - ON_ITS_WAY.toNanos() / 1000,
                to == null ? Long.MAX_VALUE : to + FORGOTTEN_AFTER.toNanos() / 1000);
    }
}
