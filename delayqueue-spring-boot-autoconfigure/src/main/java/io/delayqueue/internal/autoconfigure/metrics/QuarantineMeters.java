// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.queue.QueueCatalog;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the tasks that this process has quarantined: {@code delayqueue.tasks.quarantined}, for every configured queue
 * from zero. Spring Boot binds it to the application's meter registries; where there are none, nobody sees the counts.
 */
final class QuarantineMeters implements DeliveryCounter, MeterBinder {

    static final String COUNTER = "delayqueue.tasks.quarantined";
    static final String QUEUE = "queue";

    private final Map<String, LongAdder> counts = new LinkedHashMap<>();

    QuarantineMeters(QueueCatalog queues) {
        queues.names().forEach(queue -> counts.put(queue, new LongAdder()));
    }

    @Override
    public void quarantined(String queue, int tasks) {
        LongAdder count = counts.get(queue);
        if (count != null) {
            count.add(tasks);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counts.forEach((queue, count) -> FunctionCounter.builder(COUNTER, count, LongAdder::doubleValue)
                .description("Stored tasks that could not be delivered as they were and became dead ones")
                .tag(QUEUE, queue)
                .register(registry));
    }
}
