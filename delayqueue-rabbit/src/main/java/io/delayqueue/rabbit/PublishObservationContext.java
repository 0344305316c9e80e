// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.ScheduledTrace;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Map;
import java.util.Objects;

/**
 * The context of the observation of a delivery to RabbitMQ, from the creation of its message to its outcome. The
 * carrier contains the headers that observers add to those of the task.
 */
public final class PublishObservationContext extends SenderContext<Map<String, String>> implements ScheduledTrace {

    private final Delivery delivery;
    private final Map<String, String> scheduledHeaders;

    PublishObservationContext(Delivery delivery, Map<String, String> addedHeaders) {
        super((headers, name, value) -> Objects.requireNonNull(headers).put(name, value), Kind.PRODUCER);
        this.delivery = delivery;
        this.scheduledHeaders = delivery.content().headers();
        setCarrier(addedHeaders);
    }

    /** Returns the delivery. */
    public Delivery delivery() {
        return delivery;
    }

    /**
     * Returns {@code delivered}, {@code failed}, {@code postponed}, {@code dead} or {@code released}; {@code unknown}
     * before the end.
     */
    public String outcome() {
        return getOrDefault(DeliveryObservation.OUTCOME, "unknown");
    }

    @Override
    public Map<String, String> scheduledHeaders() {
        return scheduledHeaders;
    }
}
