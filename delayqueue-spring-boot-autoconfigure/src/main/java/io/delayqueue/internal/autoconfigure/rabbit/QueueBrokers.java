// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.intake.IntakeConnection;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclaration;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclarations;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.publisher.RabbitPublishers;
import io.delayqueue.rabbit.RabbitRouter;
import io.delayqueue.rabbit.RabbitScanTrigger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
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

/** Creates publishers for the application's connection factory and for the connection factories that queues name. */
public final class QueueBrokers {

    private final ConfigurableListableBeanFactory beans;
    private final RabbitSettings settings;

    public QueueBrokers(ConfigurableListableBeanFactory beans, RabbitSettings settings) {
        this.beans = beans;
        this.settings = settings;
    }

    /** Returns the publisher of queues that name no connection factory. */
    public RabbitPublisher common() {
        return new RabbitPublisher(commonFactory(), settings.options());
    }

    /** Returns a connection for intakes, to the broker of the common publisher. */
    public IntakeConnection intakes() {
        return new IntakeConnection(commonFactory(), settings.options());
    }

    private CachingConnectionFactory commonFactory() {
        String named = settings.connectionFactory();
        return (named != null) ? like("delayqueue.defaults.rabbit.connection-factory", named) : likeTheApplications();
    }

    /**
     * Returns the publishers of all queues, with their declarations. Looks up the common broker only if a queue needs
     * it.
     *
     * @param common creates or returns the common publisher
     */
    public RabbitPublishers all(Supplier<RabbitPublisher> common) {
        Map<String, RabbitPublisher> byFactory = new HashMap<>();
        Map<String, RabbitPublisher> byQueue = new HashMap<>();
        settings.connectionFactories()
                .forEach((queue, named) -> byQueue.put(
                        queue, byFactory.computeIfAbsent(named, factory -> declaring(other(queue, named), named))));
        RabbitPublishers publishers = new RabbitPublishers(common, byQueue);
        if (settings.useCommonBroker() || has(RabbitScanTrigger.class) || has(RabbitRouter.class)) {
            declaring(publishers.common(), null);
        }
        return publishers;
    }

    private boolean has(Class<?> type) {
        return beans.getBeanNamesForType(type, true, false).length > 0;
    }

    private RabbitPublisher other(String queue, String named) {
        RabbitPublisherOptions options = settings.options();
        return new RabbitPublisher(
                like(RabbitSettings.property(queue, "rabbit.connection-factory"), named),
                options.withConnectionName(options.connectionName() + "-" + named));
    }

    private RabbitPublisher declaring(RabbitPublisher publisher, @Nullable String factory) {
        List<RabbitDeclaration> declarations = settings.declarations().entrySet().stream()
                .filter(declaration ->
                        Objects.equals(factory, settings.connectionFactories().get(declaration.getKey())))
                .map(Map.Entry::getValue)
                .toList();
        if (!declarations.isEmpty()) {
            RabbitDeclarations.register(publisher, declarations);
        }
        return publisher;
    }

    private CachingConnectionFactory like(String property, String name) {
        List<String> matching = factories()
                .filter(bean -> BeanFactoryAnnotationUtils.isQualifierMatch(name::equals, bean, beans))
                .toList();
        if (matching.size() != 1) {
            throw new InvalidDelayQueueSetupException(
                    property,
                    "The property " + property + " names the RabbitMQ ConnectionFactory '" + PrintableText.of(name, 80)
                            + "', but " + (matching.isEmpty() ? "no bean" : "more than one bean")
                            + " of that type has this name or qualifier. Available: "
                            + factories().toList() + ".",
                    "Set " + property + " to an available name or qualifier.");
        }
        return like(matching.get(0));
    }

    private CachingConnectionFactory likeTheApplications() {
        ConnectionFactory factory =
                beans.getBeanProvider(ConnectionFactory.class).getIfUnique();
        if (factory == null) {
            throw new InvalidDelayQueueSetupException(
                    "The delay queues need one RabbitMQ ConnectionFactory, but there are "
                            + factories().count() + ", and none is primary.",
                    "Mark one as @Primary, or set delayqueue.defaults.rabbit.connection-factory.");
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
