// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.queue.QueueCatalog;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the tasks that this process did not deliver, held back or deleted, for each configured queue, starting at
 * zero.
 */
final class TaskMeters implements DeliveryCounter, MeterBinder {

    private static final String QUARANTINED = "delayqueue.tasks.quarantined";
    private static final String HELD_BACK = "delayqueue.tasks.held.back";
    private static final String TRIMMED = "delayqueue.tasks.trimmed";
    private static final String TOO_LATE = "delayqueue.too.late";
    private static final String TOO_NEW = "delayqueue.payloads.too.new";

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            QUARANTINED, "Tasks that became dead because they could not be read",
            HELD_BACK, "Due tasks that were held back because their key was over a limit or closed",
            TRIMMED, "Dead tasks that were deleted because of their age or number",
            TOO_LATE, "Tasks that were not delivered because they were too late",
            TOO_NEW, "Tasks released because their payload has a newer version than this process knows");

    private final Map<String, Map<String, LongAdder>> byQueue = new LinkedHashMap<>();

    TaskMeters(QueueCatalog queues) {
        for (String queue : queues.names()) {
            Map<String, LongAdder> counts = new LinkedHashMap<>();
            DESCRIPTIONS.keySet().forEach(name -> counts.put(name, new LongAdder()));
            byQueue.put(queue, counts);
        }
    }

    @Override
    public void quarantined(String queue, int tasks) {
        add(queue, QUARANTINED, tasks);
    }

    @Override
    public void heldBack(String queue, int tasks) {
        add(queue, HELD_BACK, tasks);
    }

    @Override
    public void trimmed(String queue, int tasks) {
        add(queue, TRIMMED, tasks);
    }

    @Override
    public void tooLate(String queue) {
        add(queue, TOO_LATE, 1);
    }

    @Override
    public void tooNew(String queue) {
        add(queue, TOO_NEW, 1);
    }

    private void add(String queue, String name, int tasks) {
        Map<String, LongAdder> counts = byQueue.get(queue);
        if (counts != null) {
            Objects.requireNonNull(counts.get(name)).add(tasks);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        byQueue.forEach((queue, counts) ->
                counts.forEach((name, count) -> FunctionCounter.builder(name, count, LongAdder::doubleValue)
                        .description(Objects.requireNonNull(DESCRIPTIONS.get(name)))
                        .tag("queue", queue)
                        .register(registry)));
    }
}
