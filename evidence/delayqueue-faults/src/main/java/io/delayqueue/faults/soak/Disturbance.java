// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.CheckSettings.Window;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A fault of a run.
 *
 * @param name name of the cell
 * @param description description of the fault
 * @param from its beginning, in the time of {@link io.delayqueue.faults.history.Entry#micros()}
 * @param to time when everything was repaired; null if unknown
 */
record Disturbance(
        String name,
        String description,
        long from,
        @Nullable Long to) {

    /** For this time after a fault, deliveries may still be late. A fault run judges later deliveries. */
    static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(30);

    Disturbance endedAt(long micros) {
        return new Disturbance(name, description, from, micros);
    }

    /** Tasks that were due within this time before a fault may still be in transit when it begins. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

    /** Returns the time from shortly before the fault until its effects are over. */
    Window window() {
        return new Window(
                from - ON_ITS_WAY.toNanos() / 1000,
                to == null ? Long.MAX_VALUE : to + FORGOTTEN_AFTER.toNanos() / 1000);
    }
}
