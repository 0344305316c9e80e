// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
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
 * RabbitMQ client, so the health status of an application without a broker would never be UP. An application uses a
 * broker if it has any of these: a property under {@code spring.rabbitmq}, an exchange of a queue, an intake, a trigger
 * or router for RabbitMQ, connection details, its own connection factory, or a declaration for a broker. {@code
 * management.health.rabbit.enabled} overrides this.
 */
public final class UnusedBrokerHealth implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(UnusedBrokerHealth.class);
    private static final String[] SIGNS = {
        "io.delayqueue.rabbit.RabbitRouter",
        "io.delayqueue.rabbit.RabbitScanTrigger",
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

    private static final String BOOT = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration";

    private final ConfigurableListableBeanFactory beanFactory;
    private final Environment environment;
    private final DelayQueueProperties properties;

    public UnusedBrokerHealth(
            ConfigurableListableBeanFactory beanFactory, Environment environment, DelayQueueProperties properties) {
        this.beanFactory = beanFactory;
        this.environment = environment;
        this.properties = properties;
    }

    @Override
    public void afterSingletonsInstantiated() {
        HealthContributorRegistry registry =
                beanFactory.getBeanProvider(HealthContributorRegistry.class).getIfAvailable();
        if (registry != null
                && !environment.containsProperty("management.health.rabbit.enabled")
                && !isNamed()
                && registry.unregisterContributor("rabbit") != null) {
            log.info("Nothing refers to a RabbitMQ broker, so its health indicator is disabled; "
                    + "management.health.rabbit.enabled=true enables it");
        }
    }

    private boolean isNamed() {
        return Binder.get(environment)
                        .bind("spring.rabbitmq", Bindable.mapOf(String.class, Object.class))
                        .isBound()
                || hasExchange()
                || Arrays.stream(SIGNS).anyMatch(type -> beans(type).length > 0)
                || Arrays.stream(SIGNS_UNLESS_BOOTS).anyMatch(this::hasBeanNotMadeByBoot);
    }

    private boolean hasExchange() {
        return !properties.rabbit().intake().isEmpty()
                || Stream.concat(Stream.of(properties.defaults()), properties.queues().values().stream())
                        .anyMatch(queue -> queue.rabbit().exchange() != null
                                || queue.dead().exchange() != null);
    }

    private String[] beans(String type) {
        ClassLoader loader = beanFactory.getBeanClassLoader();
        return ClassUtils.isPresent(type, loader)
                ? beanFactory.getBeanNamesForType(ClassUtils.resolveClassName(type, loader), true, false)
                : new String[0];
    }

    /**
     * Returns whether there is a bean of this type that Spring Boot did not create from properties, for example
     * connection details from Testcontainers or Docker Compose.
     */
    private boolean hasBeanNotMadeByBoot(String type) {
        String[] names = beans(type);
        if (names.length == 0) {
            return false;
        }
        ClassLoader loader = beanFactory.getBeanClassLoader();
        if (!ClassUtils.isPresent(BOOT, loader)) {
            return true;
        }
        Class<?> boot = ClassUtils.resolveClassName(BOOT, loader);
        return Arrays.stream(names).anyMatch(name -> !MadeByBoot.is(beanFactory, name, boot));
    }
}
