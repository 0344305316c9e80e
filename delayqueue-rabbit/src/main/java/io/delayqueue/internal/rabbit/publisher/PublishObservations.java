// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.rabbit.PublishObservationContext;
import io.micrometer.observation.ObservationRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/** Observation of deliveries to RabbitMQ. */
public record PublishObservations(ObservationRegistry registry) {

    /** Observes nothing. */
    public static final PublishObservations NONE = new PublishObservations(ObservationRegistry.NOOP);

    public DeliveryObservation start(Delivery delivery) {
        Map<String, String> headers = new LinkedHashMap<>();
        return DeliveryObservation.start(
                registry, PublishNames.DEFAULT, () -> new PublishObservationContext(delivery, headers), headers);
    }
}
