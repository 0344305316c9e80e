// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.queue.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Limits for the tasks of one key across all processes. When set at run time, they replace the configured limits
 * ({@code delayqueue.queues.*.limits.per-key}). An empty limit remains as configured.
 * <pre>{@code
 * admin.setKeyLimits("messages", "clinic-17", KeyLimits.rate(20, Duration.ofSeconds(1)).withConcurrency(2));
 * }</pre>
 *
 * @param interval minimum time between two tasks of the key, in whole microseconds; empty to keep the configured rate
 * @param burst maximum number of tasks of the key that may be delivered without a pause after an idle time; empty for
 *     as many as the rate allows in a tenth of a second, but at least one
 * @param concurrency maximum number of deliveries of the key in progress; empty to keep the configured number
 */
public record KeyLimits(Optional<Duration> interval, OptionalInt burst, OptionalInt concurrency) {

    /** No limits. */
    public static final KeyLimits NONE = new KeyLimits(Optional.empty(), OptionalInt.empty(), OptionalInt.empty());

    private static final Bound<Duration> INTERVAL = new Bound<>(Duration.of(1, ChronoUnit.MICROS), Duration.ofDays(1));

    /** @throws IllegalArgumentException if a limit is out of range, or if there is a burst without a rate */
    public KeyLimits {
        interval.ifPresent(every -> INTERVAL.check("The time between two tasks of a key", every));
        burst.ifPresent(most -> Bound.BURST.check("The burst of a key", most));
        if (burst.isPresent() && interval.isEmpty()) {
            throw new IllegalArgumentException("A key with a burst must also have a rate");
        }
        concurrency.ifPresent(most -> Bound.KEY_CONCURRENCY.check("The concurrency of a key", most));
    }

    /**
     * Returns limits with a maximum rate. The tasks of the key are spaced evenly.
     *
     * @param tasks at least 1 a day, and at most a million a second
     * @param per at most a day
     * @throws IllegalArgumentException if the rate is out of range
     */
    public static KeyLimits rate(int tasks, Duration per) {
        Duration interval = Duration.of(new Rate(tasks, per).intervalMicros(), ChronoUnit.MICROS);
        return new KeyLimits(Optional.of(interval), OptionalInt.empty(), OptionalInt.empty());
    }

    /**
     * Returns these limits with a burst: after an idle time, this many tasks of the key may be delivered without a
     * pause.
     *
     * @param tasks 1 to 10,000
     * @throws IllegalArgumentException if the number is out of range, or if there is no rate
     */
    public KeyLimits withBurst(int tasks) {
        return new KeyLimits(interval, OptionalInt.of(tasks), concurrency);
    }

    /**
     * Returns these limits with a maximum number of deliveries in progress.
     *
     * @param deliveries 1 to 1,000
     * @throws IllegalArgumentException if the number is out of range
     */
    public KeyLimits withConcurrency(int deliveries) {
        return new KeyLimits(interval, burst, OptionalInt.of(deliveries));
    }
}
