// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Tracks which queues this context scans, triggers scans when the clock advances, and observes deliveries after all
 * application interceptors. Thread-safe.
 */
final class Pollers implements BeanPostProcessor {

    private final ObjectProvider<ObservedDeliveries> deliveries;
    private final Map<String, List<WakeSignals.Listener>> listeners = new ConcurrentHashMap<>();

    Pollers(ObjectProvider<ObservedDeliveries> deliveries) {
        this.deliveries = deliveries;
    }

    /** Returns the queues that a started trigger scans, sorted by name. */
    Set<String> queues() {
        Set<String> scanned = new TreeSet<>();
        listeners.forEach((queue, all) -> {
            if (!all.isEmpty()) {
                scanned.add(queue);
            }
        });
        return scanned;
    }

    /** Triggers a scan of all shards of all queues, without waiting for it. */
    void wake() {
        listeners.values().forEach(all -> all.forEach(WakeSignals.Listener::wakeAll));
    }

    /** Prepares triggers. No other context uses the same keys, so each trigger owns all shards from the start. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof TriggerContext context) {
            return new TriggerContext(
                    context.engine(),
                    context.queues(),
                    overheard(context.wakeSignals()),
                    context.interceptors().with(deliveries.getObject().interceptor()),
                    context.virtualThreads());
        }
        return bean;
    }

    private WakeSignals overheard(WakeSignals signals) {
        return (queue, listener) -> {
            WakeSignals.Registration registration = signals.listen(queue, listener);
            List<WakeSignals.Listener> ofQueue = listeners.computeIfAbsent(queue, any -> new CopyOnWriteArrayList<>());
            ofQueue.add(listener);
            return new Overheard(registration, () -> ofQueue.remove(listener));
        };
    }

    private record Overheard(WakeSignals.Registration registration, Runnable atEnd)
            implements WakeSignals.Registration {

        @Override
        public boolean arrive() {
            return registration.arrive();
        }

        @Override
        public void callForHelp(int shard) {
            registration.callForHelp(shard);
        }

        @Override
        public void close() {
            atEnd.run();
            registration.close();
        }
    }
}
