// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Observation of calls and deliveries, and propagation of traces. */
@Configuration(proxyBeanMethods = false)
public class ObservationConfiguration {

    @Bean
    TaskObservations delayQueueObservations(
            ObjectProvider<ObservationRegistry> registry, ObjectProvider<MeterObservations> meters) {
        ObservationRegistry unique = registry.getIfUnique();
        if (unique == null) {
            MeterObservations measuring = meters.getIfUnique();
            unique = (measuring == null) ? ObservationRegistry.NOOP : measuring.registry();
        }
        return new TaskObservations(unique);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tracer.class, Propagator.class})
    static class TracingConfiguration {

        /**
         * Creates a handler with a higher precedence than Spring Boot's, because only the first matching tracing
         * handler is used.
         */
        @Bean
        @Order(TaskTracingHandler.ORDER)
        TaskTracingHandler delayQueueTracingHandler(
                ObjectProvider<Tracer> tracer, ObjectProvider<Propagator> propagator, DelayQueueProperties properties) {
            return new TaskTracingHandler(
                    tracer.getIfUnique(() -> Tracer.NOOP),
                    propagator.getIfUnique(() -> Propagator.NOOP),
                    properties.tracing().delivery() == DelayQueueProperties.Tracing.Delivery.LINK);
        }
    }
}
