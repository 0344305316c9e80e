// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.concurrent.SerialWorker;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How much the outbox holds. A scrape does not wait for the database: it is told what was read last, and has that read
 * anew where it is older than some seconds.
 */
final class OutboxMeters implements MeterBinder, AutoCloseable {

    private static final Duration FRESH = Duration.ofSeconds(10);

    private final DelayQueueOutbox outbox;
    private final SerialWorker thread;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile @Nullable Read latest;

    /** @param thread closed with this */
    OutboxMeters(DelayQueueOutbox outbox, SerialWorker thread) {
        this.outbox = outbox;
        this.thread = thread;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("delayqueue.outbox.backlog", () -> figure(OutboxStatistics::backlog))
                .description("Tasks of which calls within transactions have not reached Redis")
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
        Read known = latest;
        if (known == null || System.nanoTime() - known.atNanos() > FRESH.toNanos()) {
            readSoon();
        }
        return (known == null) ? Double.NaN : of.applyAsDouble(known.statistics());
    }

    private void readSoon() {
        if (!thread.isClosed() && reading.compareAndSet(false, true)) {
            try {
                thread.execute(this::read);
            } catch (Throwable ex) {
                // no thread could be made, for example: whoever asks next has it tried again
                reading.set(false);
                throw ex;
            }
        }
    }

    private void read() {
        try {
            latest = new Read(outbox.statistics(), System.nanoTime());
        } finally {
            reading.set(false);
        }
    }

    @Override
    public void close() {
        thread.close();
    }

    private record Read(OutboxStatistics statistics, long atNanos) {}
}
