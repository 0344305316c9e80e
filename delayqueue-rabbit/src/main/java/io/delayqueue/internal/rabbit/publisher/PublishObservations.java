// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.rabbit.PublishObservationContext;
import io.delayqueue.rabbit.PublishObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Observation of deliveries to RabbitMQ.
 *
 * @param registry the registry with its observers
 * @param convention names and tags; null for the default
 */
public record PublishObservations(
        ObservationRegistry registry, @Nullable PublishObservationConvention convention) {

    /** Observes nothing. */
    public static final PublishObservations NONE = new PublishObservations(ObservationRegistry.NOOP, null);

    public DeliveryObservation start(Delivery delivery) {
        Map<String, String> headers = new LinkedHashMap<>();
        return DeliveryObservation.start(
                registry,
                convention,
                PublishObservationConvention.DEFAULT,
                () -> new PublishObservationContext(delivery, headers),
                headers);
    }
}
