// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.queue.QueueCatalog;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts tasks that this process has quarantined and dead tasks that it has trimmed, for every configured queue,
 * starting at zero. Spring Boot binds the counters to the application's meter registries.
 */
final class DeadTaskMeters implements DeliveryCounter, MeterBinder {

    static final String QUARANTINED = "delayqueue.tasks.quarantined";
    static final String TRIMMED = "delayqueue.tasks.trimmed";
    static final String QUEUE = "queue";

    private final Map<String, LongAdder> quarantined = new LinkedHashMap<>();
    private final Map<String, LongAdder> trimmed = new LinkedHashMap<>();

    DeadTaskMeters(QueueCatalog queues) {
        for (String queue : queues.names()) {
            quarantined.put(queue, new LongAdder());
            trimmed.put(queue, new LongAdder());
        }
    }

    @Override
    public void quarantined(String queue, int tasks) {
        add(quarantined, queue, tasks);
    }

    @Override
    public void trimmed(String queue, int tasks) {
        add(trimmed, queue, tasks);
    }

    private static void add(Map<String, LongAdder> counts, String queue, int tasks) {
        LongAdder count = counts.get(queue);
        if (count != null) {
            count.add(tasks);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(
                registry,
                QUARANTINED,
                "Stored tasks that could not be delivered as they were and became dead",
                quarantined);
        bind(registry, TRIMMED, "Dead tasks that were deleted because of their age or number", trimmed);
    }

    private static void bind(MeterRegistry registry, String name, String description, Map<String, LongAdder> counts) {
        counts.forEach((queue, count) -> FunctionCounter.builder(name, count, LongAdder::doubleValue)
                .description(description)
                .tag(QUEUE, queue)
                .register(registry));
    }
}
