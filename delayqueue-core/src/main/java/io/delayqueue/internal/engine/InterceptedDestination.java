// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls interceptors around the deliveries of a destination that does not do so itself. */
public final class InterceptedDestination implements TaskDestination {

    private final TaskDestination destination;
    private final InterceptorChain interceptors;

    private InterceptedDestination(TaskDestination destination, InterceptorChain interceptors) {
        this.destination = destination;
        this.interceptors = interceptors;
    }

    /** Returns the destination itself where there is nothing to add. */
    public static TaskDestination around(TaskDestination destination, InterceptorChain interceptors) {
        return interceptors.isEmpty() || destination.callsInterceptors()
                ? destination
                : new InterceptedDestination(destination, interceptors);
    }

    @Override
    public void deliver(List<Delivery> deliveries) {
        List<Delivery> begun = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            try {
                interceptors.before(delivery);
            } catch (Throwable ex) {
                delivery.fail("interceptor threw " + ex.getClass().getName(), false);
                continue;
            }
            ((LeasedDelivery) delivery).intercept(interceptors);
            begun.add(delivery);
        }
        if (!begun.isEmpty()) {
            destination.deliver(begun);
        }
    }

    @Override
    public Duration unavailableFor() {
        return destination.unavailableFor();
    }

    @Override
    public boolean renewsLeases() {
        return destination.renewsLeases();
    }

    @Override
    public boolean isolatesSuspects() {
        return destination.isolatesSuspects();
    }

    @Override
    public boolean beginsEach() {
        return destination.beginsEach();
    }

    @Override
    public boolean callsInterceptors() {
        return true;
    }

    @Override
    public int batchesAhead() {
        return destination.batchesAhead();
    }

    @Override
    public void close() {
        destination.close();
    }
}
