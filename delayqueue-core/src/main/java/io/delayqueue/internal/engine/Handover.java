// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Guard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands batches to a destination. Starts each delivery and calls the interceptors around it, unless the destination
 * does this itself. Thread-safe.
 *
 * @param gate the gate that deliveries pass before they start; null for none
 */
record Handover(
        TaskDestination destination,
        InterceptorChain interceptors,
        @Nullable DeliveryGate gate) {

    private static final Logger log = LoggerFactory.getLogger(Handover.class);

    Handover(QueueDelivery delivery, @Nullable DeliveryGate gate) {
        this(
                delivery.destination(),
                LibraryDestination.reportsAttempts(delivery.destination())
                        ? InterceptorChain.EMPTY
                        : delivery.interceptors(),
                gate);
    }

    /**
     * Delivers on the calling thread. Skips released deliveries. If the destination throws, rethrows the exception;
     * part of the batch may then be unsettled.
     */
    void deliver(List<LeasedDelivery> batch) {
        List<LeasedDelivery> begun = destination.deliversOneByOne()
                ? gated(batch)
                : passed(batch).stream().filter(Handover::begins).toList();
        List<LeasedDelivery> admitted = interceptors.isEmpty() ? begun : admitted(begun);
        if (!admitted.isEmpty()) {
            if (destination instanceof LibraryDestination observing && !observing.reportsAttempts()) {
                admitted.forEach(delivery -> delivery.observe(observing.observe(delivery)));
            }
            destination.deliver(List.copyOf(admitted));
        }
    }

    /** Starts a delivery, and returns whether it has started. If it cannot start, only this delivery fails. */
    private static boolean begins(LeasedDelivery delivery) {
        try {
            return delivery.begin();
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("{} could not start; the attempt has failed", delivery, ex));
            delivery.settle(Outcome.failed("could not start: " + ex.getClass().getName()));
            return false;
        }
    }

    /** Makes each delivery pass the gate before it starts. */
    private List<LeasedDelivery> gated(List<LeasedDelivery> batch) {
        DeliveryGate each = gate;
        if (each != null) {
            batch.forEach(delivery -> delivery.passBeforeItBegins(each));
        }
        return batch;
    }

    private List<LeasedDelivery> passed(List<LeasedDelivery> batch) {
        return (gate == null) ? batch : gate.admitted(batch);
    }

    /** Returns the deliveries that the interceptors let start. The interceptors will be notified of their outcomes. */
    private List<LeasedDelivery> admitted(List<LeasedDelivery> begun) {
        List<LeasedDelivery> admitted = new ArrayList<>(begun.size());
        for (LeasedDelivery delivery : begun) {
            try {
                interceptors.before(delivery);
            } catch (Throwable ex) {
                delivery.settle(
                        Outcome.failed("interceptor threw " + ex.getClass().getName()));
                continue;
            }
            delivery.intercept(interceptors);
            admitted.add(delivery);
        }
        return admitted;
    }
}
