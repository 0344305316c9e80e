// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.store.TaskStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * The meters, if Micrometer is present. Spring Boot binds them to the application's registries. Without a registry,
 * Redis is not queried.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
public class MetersConfiguration {

    @Bean
    TaskMeters delayQueueTaskMeters(QueueCatalog queues) {
        return new TaskMeters(queues);
    }

    @Bean
    DeliveryMeters delayQueueDeliveryMeters() {
        return new DeliveryMeters();
    }

    /**
     * Creates a handler with a higher precedence than Spring Boot's, because only the first matching meter handler is
     * used.
     */
    @Bean
    @Order(TaskTimers.ORDER)
    TaskTimers delayQueueTaskTimers(ObjectProvider<MeterRegistry> registry) {
        return new TaskTimers(registry.getIfUnique(SimpleMeterRegistry::new));
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
    QueueGauges delayQueueGauges(QueueCatalog queues, QueueOutlooks outlooks) {
        return new QueueGauges(queues, outlooks);
    }

    @Bean
    MeterBinder delayQueueRedisMeters(TaskStore store) {
        return new RedisMeters(store);
    }
}
