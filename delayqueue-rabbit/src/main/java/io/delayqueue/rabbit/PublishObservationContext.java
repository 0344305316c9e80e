// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Map;
import java.util.Objects;

/**
 * Observation context of a delivery to RabbitMQ, from the creation of the message to the outcome. The carrier contains
 * the headers that observers add to the headers of the task.
 */
public final class PublishObservationContext extends SenderContext<Map<String, String>> {

    private final Delivery delivery;

    public PublishObservationContext(Delivery delivery, Map<String, String> addedHeaders) {
        super((headers, name, value) -> Objects.requireNonNull(headers).put(name, value), Kind.PRODUCER);
        this.delivery = delivery;
        ContextKeys.putScheduledHeaders(this, delivery.content().headers());
        setCarrier(addedHeaders);
    }

    /** Returns the delivery. */
    public Delivery delivery() {
        return delivery;
    }

    /**
     * Returns {@code delivered}, {@code failed}, {@code postponed}, {@code dead} or {@code released}; {@code unknown}
     * until the delivery has ended.
     */
    public String outcome() {
        return getOrDefault(ContextKeys.OUTCOME, "unknown");
    }
}
