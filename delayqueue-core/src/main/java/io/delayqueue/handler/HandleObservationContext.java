// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;
import java.util.Objects;

/** Observation context of a delivery to a handler. Its carrier contains the task's headers. */
public final class HandleObservationContext extends ReceiverContext<Map<String, String>> {

    private final Delivery delivery;

    public HandleObservationContext(Delivery delivery) {
        super((headers, name) -> Objects.requireNonNull(headers).get(name), Kind.CONSUMER);
        this.delivery = delivery;
        setCarrier(delivery.content().headers());
        ContextKeys.putScheduledHeaders(this, delivery.content().headers());
    }

    /** Returns the delivery. */
    public Delivery delivery() {
        return delivery;
    }
}
