// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.engine.DeliveryNames;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.rabbit.PublishObservationContext;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/** Observation of deliveries to RabbitMQ. */
public record PublishObservations(ObservationRegistry registry) {

    /** Observes nothing. */
    public static final PublishObservations NONE = new PublishObservations(ObservationRegistry.NOOP);

    private static final DeliveryNames<PublishObservationContext> NAMES = new DeliveryNames<>(
            "publish",
            PublishObservationContext.class,
            PublishObservationContext::delivery,
            context -> KeyValues.of("outcome", context.outcome()));

    public DeliveryObservation start(Delivery delivery) {
        Map<String, String> headers = new LinkedHashMap<>();
        return DeliveryObservation.start(
                registry, NAMES, () -> new PublishObservationContext(delivery, headers), headers);
    }
}
