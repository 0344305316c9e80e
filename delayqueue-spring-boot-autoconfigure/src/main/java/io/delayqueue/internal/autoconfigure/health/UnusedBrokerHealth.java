// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import io.delayqueue.internal.autoconfigure.settings.CheckedProperties;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import java.util.Arrays;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;

/**
 * Removes Spring Boot's health indicator for RabbitMQ if the application uses no broker. The starter includes the
 * client, so an application without a broker would never be UP. The application uses a broker if it has any of these: a
 * property under {@code spring.rabbitmq}, an exchange of a queue, an intake, a trigger or a router for RabbitMQ,
 * connection details, its own connection factory, or a declaration for a broker.
 * {@code management.health.rabbit.enabled} overrides this.
 *
 * <p>During ahead-of-time processing nothing is disabled, because the broker is known only at run time.
 */
public final class UnusedBrokerHealth implements BeanDefinitionRegistryPostProcessor, EnvironmentAware, Ordered {

    private static final Logger log = LoggerFactory.getLogger(UnusedBrokerHealth.class);
    private static final String INDICATOR = "rabbitHealthContributor";
    private static final String[] SIGNS = {
        "io.delayqueue.rabbit.RabbitRouter",
        "io.delayqueue.rabbit.RabbitScanTrigger",
        "org.springframework.amqp.core.Declarable",
        "org.springframework.amqp.core.Declarables",
        "org.springframework.amqp.rabbit.listener.MessageListenerContainer"
    };

    /**
     * Types that Spring Boot creates without a broker. Beans of these types count only if the application or another
     * module defines them.
     */
    private static final String[] SIGNS_UNLESS_BOOTS = {
        "org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails",
        "org.springframework.amqp.rabbit.connection.ConnectionFactory"
    };

    private static final String BOOT = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration";

    private Environment environment = new StandardEnvironment();

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    /** Runs after post-processors that add bean definitions. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (!Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)
                && registry.containsBeanDefinition(INDICATOR)
                && registry instanceof ConfigurableListableBeanFactory beanFactory
                && !environment.containsProperty("management.health.rabbit.enabled")
                && !isNamed(beanFactory)) {
            registry.removeBeanDefinition(INDICATOR);
            log.info("Nothing refers to a RabbitMQ broker, so its health indicator is disabled; "
                    + "management.health.rabbit.enabled=true enables it");
        }
    }

    private boolean isNamed(ConfigurableListableBeanFactory beanFactory) {
        Binder binder = Binder.get(environment);
        return binder.bind("spring.rabbitmq", Bindable.mapOf(String.class, Object.class))
                        .isBound()
                || hasExchange(binder)
                || Arrays.stream(SIGNS).anyMatch(type -> beans(beanFactory, type).length > 0)
                || Arrays.stream(SIGNS_UNLESS_BOOTS).anyMatch(type -> hasBeanNotMadeByBoot(beanFactory, type));
    }

    /** Binds the properties as the application does later, so that mistakes in them are reported in the same way. */
    private boolean hasExchange(Binder binder) {
        DelayQueueProperties properties = binder.bindOrCreate(
                "delayqueue",
                Bindable.of(DelayQueueProperties.class),
                new CheckedProperties(new PropertySourcesPlaceholdersResolver(environment)).apply(BindHandler.DEFAULT));
        return !properties.rabbit().intake().isEmpty()
                || Stream.concat(Stream.of(properties.defaults()), properties.queues().values().stream())
                        .anyMatch(queue -> queue.rabbit().exchange() != null
                                || queue.dead().exchange() != null);
    }

    private static String[] beans(ConfigurableListableBeanFactory beanFactory, String type) {
        ClassLoader loader = beanFactory.getBeanClassLoader();
        return ClassUtils.isPresent(type, loader)
                ? beanFactory.getBeanNamesForType(ClassUtils.resolveClassName(type, loader), true, false)
                : new String[0];
    }

    /** Finds, for example, connection details of test containers and Docker Compose. */
    private static boolean hasBeanNotMadeByBoot(ConfigurableListableBeanFactory beanFactory, String type) {
        String[] names = beans(beanFactory, type);
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

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        // nothing left to do
    }
}
