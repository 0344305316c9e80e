// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import java.util.Arrays;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Removes Spring Boot's health indicator for RabbitMQ if the application uses no broker. The starter includes the
 * RabbitMQ client, so the health of an application without a broker would never be UP. The application uses a broker if
 * it has any of these: a property under {@code spring.rabbitmq}, a queue or an intake that needs a broker, connection
 * details, its own connection factory, or a declaration for a broker. {@code management.health.rabbit.enabled} overrides
 * this.
 */
public record UnusedBrokerHealth(ConfigurableListableBeanFactory beanFactory, Environment environment)
        implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(UnusedBrokerHealth.class);
    private static final String[] SIGNS = {
        "org.springframework.amqp.core.Declarable",
        "org.springframework.amqp.core.Declarables",
        "org.springframework.amqp.rabbit.listener.MessageListenerContainer"
    };

    /**
     * Bean types that Spring Boot creates even without a broker. Such beans count only if the application or another
     * module defines them.
     */
    private static final String[] SIGNS_UNLESS_BOOTS = {
        "org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails",
        "org.springframework.amqp.rabbit.connection.ConnectionFactory"
    };

    private static final String BOOT = "org.springframework.boot.amqp.autoconfigure";

    @Override
    public void afterSingletonsInstantiated() {
        HealthContributorRegistry registry =
                beanFactory.getBeanProvider(HealthContributorRegistry.class).getIfAvailable();
        if (registry != null
                && !environment.containsProperty("management.health.rabbit.enabled")
                && !isUsed()
                && registry.unregisterContributor("rabbit") != null) {
            log.info("Nothing refers to a RabbitMQ broker, so its health indicator is disabled; "
                    + "management.health.rabbit.enabled=true enables it");
        }
    }

    private boolean isUsed() {
        return Binder.get(environment)
                        .bind("spring.rabbitmq", Bindable.mapOf(String.class, Object.class))
                        .isBound()
                || beanFactory.getBeanProvider(Brokers.class).stream()
                        .anyMatch(brokers -> !brokers.states().isEmpty()
                                || !brokers.intakes().isEmpty())
                || Arrays.stream(SIGNS).anyMatch(type -> beans(type).findAny().isPresent())
                || Arrays.stream(SIGNS_UNLESS_BOOTS)
                        .flatMap(this::beans)
                        .anyMatch(name -> !MadeByBoot.is(beanFactory, name, BOOT));
    }

    private Stream<String> beans(String type) {
        ClassLoader loader = beanFactory.getBeanClassLoader();
        return ClassUtils.isPresent(type, loader)
                ? Stream.of(beanFactory.getBeanNamesForType(ClassUtils.resolveClassName(type, loader), true, false))
                : Stream.empty();
    }
}
