// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Traces of deliveries. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({Tracer.class, Propagator.class})
public class ObservationConfiguration {

    /** Creates a handler that precedes Spring Boot's, because only the first matching tracing handler is used. */
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
