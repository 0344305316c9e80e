// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.queue.QueueCatalog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Gauges of the data in Redis, from the latest {@link QueueOutlooks}. Reading a gauge never waits for Redis. A gauge is
 * NaN if its figures are missing or too old.
 */
public record QueueGauges(QueueCatalog queues, QueueOutlooks outlooks) implements MeterBinder {

    static final String TASKS = "delayqueue.tasks";
    static final String TASKS_AGE = "delayqueue.tasks.age";
    static final String OVERDUE_AGE = "delayqueue.overdue.age";
    static final String DUE_NEXT = "delayqueue.due.next";
    static final String PAUSED = "delayqueue.paused";

    /** Labels for {@link QueueOutlook#AHEAD}. */
    private static final List<String> WITHIN = List.of("1m", "10m", "1h");

    @Override
    public void bindTo(MeterRegistry registry) {
        for (String queue : queues.names()) {
            tasks(registry, queue, "delayed", QueueOutlook::delayed);
            tasks(registry, queue, "ready", QueueOutlook::due);
            tasks(registry, queue, "held-back", QueueOutlook::heldBack);
            tasks(registry, queue, "leased", QueueOutlook::leased);
            tasks(registry, queue, "dead", QueueOutlook::dead);
            for (int i = 0; i < WITHIN.size(); i++) {
                int index = i;
                Gauge.builder(
                                DUE_NEXT,
                                () -> value(
                                        queue, outlook -> outlook.dueWithin().get(index)))
                        .description("Tasks that become due, or whose leases expire, within this time from now")
                        .tags("queue", queue, "within", WITHIN.get(i))
                        .register(registry);
            }
            TimeGauge.builder(
                            OVERDUE_AGE,
                            () -> value(queue, outlook -> outlook.overdue().toMillis()),
                            TimeUnit.MILLISECONDS)
                    .description("Time that the longest overdue task has waited since it was due")
                    .tag("queue", queue)
                    .register(registry);
            Gauge.builder(PAUSED, () -> value(queue, outlook -> outlook.paused() ? 1 : 0))
                    .description("1 if the queue is paused, otherwise 0")
                    .tag("queue", queue)
                    .register(registry);
            TimeGauge.builder(TASKS_AGE, () -> outlooks.age(queue).toMillis(), TimeUnit.MILLISECONDS)
                    .description("Age of the values from Redis")
                    .tag("queue", queue)
                    .register(registry);
        }
        outlooks.start();
    }

    private void tasks(MeterRegistry registry, String queue, String state, ToDoubleFunction<QueueOutlook> count) {
        Gauge.builder(TASKS, () -> value(queue, count))
                .description("Tasks of the queue in Redis by state")
                .tags("queue", queue, "state", state)
                .register(registry);
    }

    private double value(String queue, ToDoubleFunction<QueueOutlook> value) {
        return outlooks.last(queue)
                .filter(outlook -> !outlooks.isTooOld(queue))
                .map(value::applyAsDouble)
                .orElse(Double.NaN);
    }
}
