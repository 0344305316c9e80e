// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.jdbc.LastKnown;
import io.delayqueue.jdbc.OutboxStatistics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Gauges for the contents of the outbox. A scrape does not wait for the database: it returns the latest figures, and
 * starts a new read if they are too old.
 */
final class OutboxMeters implements MeterBinder {

    private static final Duration FRESH = Duration.ofSeconds(10);

    private final BooleanSupplier used;
    private final LastKnown<OutboxStatistics> statistics;

    /**
     * @param used returns {@code false} while the tables may not exist
     * @param thread executor that reads the statistics
     */
    OutboxMeters(BooleanSupplier used, Supplier<OutboxStatistics> statistics, Executor thread) {
        this.used = used;
        this.statistics = new LastKnown<>(FRESH, thread, statistics);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("delayqueue.outbox.backlog", () -> figure(OutboxStatistics::backlog))
                .description("Outbox rows, one per task or group, whose calls have not reached Redis")
                .register(registry);
        Gauge.builder("delayqueue.outbox.rejected", () -> figure(OutboxStatistics::rejected))
                .description("Outbox entries that can never be executed")
                .register(registry);
        TimeGauge.builder(
                        "delayqueue.outbox.overdue",
                        () -> figure(statistics -> statistics.overdue().toMillis()),
                        TimeUnit.MILLISECONDS)
                .description("Longest time that an outbox row has waited for a sweep")
                .register(registry);
        TimeGauge.builder(
                        "delayqueue.outbox.oldest",
                        () -> figure(statistics -> statistics.oldest().toMillis()),
                        TimeUnit.MILLISECONDS)
                .description("Age of the oldest outbox row, including rows whose calls keep failing")
                .register(registry);
    }

    private double figure(ToDoubleFunction<OutboxStatistics> of) {
        OutboxStatistics known = used.getAsBoolean() ? statistics.known() : null;
        return (known == null) ? Double.NaN : of.applyAsDouble(known);
    }
}
