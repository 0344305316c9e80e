// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.engine.DeliveryCounter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures the lateness of first deliveries, the outcomes of all deliveries, and expired leases. The meters of a queue
 * are registered at its first delivery in this process.
 */
final class DeliveryMeters implements DeliveryCounter, MeterBinder {

    static final String LATENESS = "delayqueue.lateness";
    static final String DELIVERIES = "delayqueue.deliveries";
    static final String ACTIVE = "delayqueue.deliveries.active";
    static final String LEASES_LOST = "delayqueue.leases.lost";

    private static final Duration[] OBJECTIVES = {
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(30)
    };

    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private final Map<String, Map<String, Deliveries>> byQueue = new ConcurrentHashMap<>();

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
        byQueue.values().forEach(kinds -> kinds.values().forEach(deliveries -> deliveries.bindTo(registry)));
    }

    @Override
    public void begun(Delivery delivery, String destination, boolean first) {
        Deliveries deliveries = of(delivery.queue(), destination);
        deliveries.begun.increment();
        if (first) {
            Duration lateness = delivery.lateness();
            deliveries.lateness.forEach(timer -> timer.record(lateness));
        }
    }

    @Override
    public void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {
        of(delivery.queue(), destination).ended(ending, leaseLost);
    }

    private Deliveries of(String queue, String destination) {
        Map<String, Deliveries> kinds = byQueue.get(queue);
        Deliveries known = (kinds == null) ? null : kinds.get(destination);
        return (known != null) ? known : make(queue, destination);
    }

    private Deliveries make(String queue, String destination) {
        return byQueue.computeIfAbsent(queue, name -> new ConcurrentHashMap<>()).computeIfAbsent(destination, kind -> {
            Deliveries deliveries = new Deliveries(Tags.of("queue", queue, "destination", kind));
            registries.forEach(deliveries::bindTo);
            return deliveries;
        });
    }

    /** The deliveries of one queue to one kind of destination. */
    private static final class Deliveries {

        private final Tags tags;
        private final List<Timer> lateness = new CopyOnWriteArrayList<>();
        private final LongAdder begun = new LongAdder();
        private final Map<Outcome.Kind, LongAdder> endings = new EnumMap<>(Outcome.Kind.class);
        private final LongAdder leasesLost = new LongAdder();

        Deliveries(Tags tags) {
            this.tags = tags;
            for (Outcome.Kind ending : Outcome.Kind.values()) {
                endings.put(ending, new LongAdder());
            }
        }

        void ended(Outcome.Kind ending, boolean leaseLost) {
            Objects.requireNonNull(endings.get(ending)).increment();
            if (leaseLost) {
                leasesLost.increment();
            }
        }

        /**
         * Returns the number of deliveries in progress. May include a delivery that starts and ends during the call.
         */
        private long active() {
            long ended = endings.values().stream().mapToLong(LongAdder::sum).sum();
            return Math.max(0, begun.sum() - ended);
        }

        void bindTo(MeterRegistry registry) {
            Gauge.builder(ACTIVE, this, Deliveries::active)
                    .description("Deliveries in progress")
                    .tags(tags)
                    .register(registry);
            lateness.add(Timer.builder(LATENESS)
                    .description("Time from the due time of a task to the start of its first delivery")
                    .tags(tags)
                    .serviceLevelObjectives(OBJECTIVES)
                    .register(registry));
            endings.forEach((ending, count) -> FunctionCounter.builder(DELIVERIES, count, LongAdder::doubleValue)
                    .description("Deliveries by outcome")
                    .tags(tags.and("outcome", ending.name().toLowerCase(Locale.ROOT)))
                    .register(registry));
            FunctionCounter.builder(LEASES_LOST, leasesLost, LongAdder::doubleValue)
                    .description("Deliveries that ended after their lease had expired")
                    .tags(tags)
                    .register(registry);
        }
    }
}
