// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The deliveries of one trigger that have no outcome yet. */
final class ActiveDeliveries {

    private final Set<LeasedDelivery> deliveries = ConcurrentHashMap.newKeySet();
    private final AtomicInteger suspects = new AtomicInteger();

    /** Adds all deliveries, or none if one cannot be added. */
    void addAll(List<LeasedDelivery> begun) {
        try {
            begun.forEach(this::add);
        } catch (Throwable ex) {
            begun.forEach(this::remove);
            throw ex;
        }
    }

    private void add(LeasedDelivery delivery) {
        if (deliveries.add(delivery) && delivery.isSuspect()) {
            suspects.incrementAndGet();
        }
    }

    /** Removes a delivery; returns whether it was a suspect. */
    boolean remove(LeasedDelivery delivery) {
        if (!deliveries.remove(delivery) || !delivery.isSuspect()) {
            return false;
        }
        suspects.decrementAndGet();
        return true;
    }

    boolean anySuspect() {
        return suspects.get() > 0;
    }

    List<LeasedDelivery> all() {
        return List.copyOf(deliveries);
    }
}
