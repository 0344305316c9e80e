// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import io.delayqueue.internal.autoconfigure.settings.PropertyValue;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.rabbit.RabbitDeclaration;
import io.delayqueue.rabbit.RabbitDeclarations;
import io.delayqueue.rabbit.RabbitPublisher;
import io.delayqueue.rabbit.RabbitPublisherOptions;
import io.delayqueue.rabbit.RabbitPublishers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.amqp.autoconfigure.CachingConnectionFactoryConfigurer;
import org.springframework.boot.amqp.autoconfigure.ConnectionFactoryCustomizer;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionFactoryBeanConfigurer;

/**
 * Makes the publishers: one to the broker of the application's connection factory, and one to that of each other
 * connection factory that a queue names.
 */
public final class QueueBrokers {

    private final ConfigurableListableBeanFactory beans;
    private final RabbitSettingsReader settings;
    private final RabbitPublisherOptions options;

    public QueueBrokers(
            ConfigurableListableBeanFactory beans, RabbitSettingsReader settings, RabbitPublisherOptions options) {
        this.beans = beans;
        this.settings = settings;
        this.options = options;
    }

    /** The publisher of the queues that name no connection factory of their own. */
    public RabbitPublisher common() {
        PropertyValue<String> named = settings.commonConnectionFactory();
        CachingConnectionFactory factory = (named != null) ? like(named) : likeTheApplications();
        return new RabbitPublisher(factory, options);
    }

    /** The publishers of all queues. Each declares what its queues ask for, also one that the application has made. */
    public RabbitPublishers all(RabbitPublisher common, QueueCatalog queues) {
        declaring(common, queues, null);
        Map<String, RabbitPublisher> byFactory = new HashMap<>();
        Map<String, RabbitPublisher> byQueue = new HashMap<>();
        for (String queue : queues.names()) {
            PropertyValue<String> named = settings.ownConnectionFactory(queue);
            if (named != null) {
                byQueue.put(
                        queue,
                        byFactory.computeIfAbsent(named.value(), factory -> declaring(other(named), queues, factory)));
            }
        }
        return new RabbitPublishers(common, byQueue);
    }

    private RabbitPublisher other(PropertyValue<String> named) {
        return new RabbitPublisher(
                like(named), options.withConnectionName(options.connectionName() + "-" + named.value()));
    }

    private RabbitPublisher declaring(RabbitPublisher publisher, QueueCatalog queues, @Nullable String factory) {
        List<RabbitDeclaration> declarations = settings.declarations(queues).entrySet().stream()
                .filter(declaration -> Objects.equals(factory, factoryOf(declaration.getKey())))
                .map(Map.Entry::getValue)
                .toList();
        if (!declarations.isEmpty()) {
            RabbitDeclarations.register(publisher, declarations);
        }
        return publisher;
    }

    private @Nullable String factoryOf(String queue) {
        PropertyValue<String> named = settings.ownConnectionFactory(queue);
        return (named == null) ? null : named.value();
    }

    private CachingConnectionFactory like(PropertyValue<String> named) {
        List<String> matching = factories()
                .filter(bean -> BeanFactoryAnnotationUtils.isQualifierMatch(named.value()::equals, bean, beans))
                .toList();
        if (matching.size() != 1) {
            throw new InvalidDelayQueueSetupException(
                    named.name(),
                    "The property " + named.name() + " names the RabbitMQ ConnectionFactory '" + named.shown()
                            + "', but " + (matching.isEmpty() ? "no bean" : "more than one bean")
                            + " of that type has this name or qualifier. There are "
                            + factories().toList() + ".",
                    "Set " + named.name() + " to the name or the qualifier of one of them.");
        }
        return like(matching.get(0));
    }

    private CachingConnectionFactory likeTheApplications() {
        ConnectionFactory factory =
                beans.getBeanProvider(ConnectionFactory.class).getIfUnique();
        if (factory == null) {
            throw new InvalidDelayQueueSetupException(
                    "The delay queues need one RabbitMQ ConnectionFactory, but there are "
                            + factories().count() + " and none of them is primary.",
                    "Mark one as @Primary, or name one in delayqueue.defaults.rabbit.connection-factory, or declare a bean"
                            + " of type io.delayqueue.rabbit.RabbitPublisher.");
        }
        return factories()
                .filter(bean -> isBoots(bean) && beans.getBean(bean) == factory)
                .findFirst()
                .map(this::like)
                .orElseGet(() -> PublisherConnections.like(factory));
    }

    private CachingConnectionFactory like(String bean) {
        if (!isBoots(bean)) {
            return PublisherConnections.like(beans.getBean(bean, ConnectionFactory.class));
        }
        return PublisherConnections.configured(
                beans.getBean(RabbitConnectionDetails.class),
                beans.getBean(RabbitConnectionFactoryBeanConfigurer.class),
                beans.getBean(CachingConnectionFactoryConfigurer.class),
                beans.getBeanProvider(ConnectionFactoryCustomizer.class)
                        .orderedStream()
                        .toList());
    }

    private Stream<String> factories() {
        return Stream.of(beans.getBeanNamesForType(ConnectionFactory.class, true, false));
    }

    private boolean isBoots(String bean) {
        return MadeByBoot.is(beans, bean, RabbitAutoConfiguration.class);
    }
}
