// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands batches to a destination: begins each delivery and calls the interceptors around it, unless the destination
 * does so itself. Safe for use by many threads.
 */
final class Handover {

    private final TaskDestination destination;
    private final boolean beginsEach;
    private final InterceptorChain interceptors;

    Handover(QueueDelivery delivery) {
        this.destination = delivery.destination();
        this.beginsEach = destination.traits().beginsEach();
        this.interceptors = destination.traits().callsInterceptors() ? InterceptorChain.EMPTY : delivery.interceptors();
    }

    /**
     * Delivers, on the calling thread, those that nobody has released. Throws what the destination does; some of the
     * batch may have no outcome then.
     */
    void deliver(List<LeasedDelivery> batch) {
        List<LeasedDelivery> begun = beginsEach
                ? batch
                : batch.stream().filter(LeasedDelivery::begin).toList();
        List<LeasedDelivery> admitted = interceptors.isEmpty() ? begun : admitted(begun);
        if (!admitted.isEmpty()) {
            destination.deliver(List.copyOf(admitted));
        }
    }

    /** Those that the interceptors let begin; they are told of their outcomes. */
    private List<LeasedDelivery> admitted(List<LeasedDelivery> begun) {
        List<LeasedDelivery> admitted = new ArrayList<>(begun.size());
        for (LeasedDelivery delivery : begun) {
            try {
                interceptors.before(delivery);
            } catch (Throwable ex) {
                delivery.fail("interceptor threw " + ex.getClass().getName(), false);
                continue;
            }
            delivery.intercept(interceptors);
            admitted.add(delivery);
        }
        return admitted;
    }
}
