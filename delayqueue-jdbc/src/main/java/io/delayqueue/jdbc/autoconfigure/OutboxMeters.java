// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.concurrent.LastKnown;
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
 * Gauges of how much the outbox holds. A scrape does not wait for the database: it gets the figures that were read last, and has them
 * read anew where they are too old.
 */
final class OutboxMeters implements MeterBinder {

    private static final Duration FRESH = Duration.ofSeconds(10);

    private final BooleanSupplier used;
    private final LastKnown<OutboxStatistics> statistics;

    /**
     * @param used false as long as there may be no tables
     * @param thread reads the statistics
     */
    OutboxMeters(BooleanSupplier used, Supplier<OutboxStatistics> statistics, Executor thread) {
        this.used = used;
        this.statistics = new LastKnown<>(FRESH, thread, statistics);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("delayqueue.outbox.backlog", () -> figure(OutboxStatistics::backlog))
                .description("Rows of the outbox, each of a task or a group, whose calls have not reached Redis")
                .register(registry);
        Gauge.builder("delayqueue.outbox.rejected", () -> figure(OutboxStatistics::rejected))
                .description("Entries of the outbox that can never be carried out")
                .register(registry);
        TimeGauge.builder(
                        "delayqueue.outbox.overdue",
                        () -> figure(statistics -> statistics.overdue().toMillis()),
                        TimeUnit.MILLISECONDS)
                .description("How long the row of the outbox that waits longest for a sweep has done so")
                .register(registry);
        TimeGauge.builder(
                        "delayqueue.outbox.oldest",
                        () -> figure(statistics -> statistics.oldest().toMillis()),
                        TimeUnit.MILLISECONDS)
                .description("Age of the oldest row of the outbox, also while its calls fail again and again")
                .register(registry);
    }

    private double figure(ToDoubleFunction<OutboxStatistics> of) {
        OutboxStatistics known = used.getAsBoolean() ? statistics.known() : null;
        return (known == null) ? Double.NaN : of.applyAsDouble(known);
    }
}
