// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.engine.Delivery;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Handles inside an observation, which is current while the handler is called and ends when its work does. */
final class ObservedHandler implements DeliveryHandler {

    private final DeliveryHandler handler;
    private final ObservationRegistry registry;

    ObservedHandler(DeliveryHandler handler, ObservationRegistry registry) {
        this.handler = handler;
        this.registry = registry;
    }

    @Override
    @SuppressWarnings("try")
    public @Nullable CompletionStage<?> handle(Delivery delivery) throws Exception {
        Observation observation = Observation.start("delayqueue.handle", registry)
                .lowCardinalityKeyValue("delayqueue.queue", delivery.queue())
                .highCardinalityKeyValue("delayqueue.task", delivery.id());
        CompletionStage<?> completion;
        try (Observation.Scope scope = observation.openScope()) {
            completion = handler.handle(delivery);
        } catch (Throwable ex) {
            observation.error(ex);
            observation.stop();
            throw ex;
        }
        if (completion == null) {
            observation.stop();
            return null;
        }
        return completion.whenComplete((value, error) -> {
            if (error != null) {
                observation.error(error);
            }
            observation.stop();
        });
    }
}
