// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.rabbit.DelayQueueMessageConverter;
import io.delayqueue.rabbit.RabbitDeadLetterForwarder;
import io.delayqueue.rabbit.RabbitDeclaration;
import io.delayqueue.rabbit.RabbitDeclarations;
import io.delayqueue.rabbit.RabbitPublisher;
import io.delayqueue.rabbit.RabbitPublisherOptions;
import io.delayqueue.rabbit.RabbitRoutes;
import io.delayqueue.rabbit.RabbitScanTrigger;
import io.delayqueue.trigger.TriggerContext;
import java.time.Duration;
import java.util.List;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.amqp.autoconfigure.CachingConnectionFactoryConfigurer;
import org.springframework.boot.amqp.autoconfigure.ConnectionFactoryCustomizer;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionFactoryBeanConfigurer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Auto-configuration of what delivers due tasks to RabbitMQ. */
@AutoConfiguration(after = {DelayQueueAutoConfiguration.class, RabbitAutoConfiguration.class})
@ConditionalOnClass({RabbitTemplate.class, RabbitScanTrigger.class, RabbitAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "delayqueue.rabbit.enabled", matchIfMissing = true)
@ConditionalOnBean({QueueCatalog.class, ConnectionFactory.class})
@ImportRuntimeHints(PublisherAddresses.Hints.class)
public final class DelayQueueRabbitAutoConfiguration {

    private static final Duration DEAD_LETTER_PERIOD = Duration.ofSeconds(5);

    private final RabbitSettingsReader settings;

    DelayQueueRabbitAutoConfiguration(DelayQueueProperties properties) {
        this.settings = new RabbitSettingsReader(properties);
    }

    @Bean
    RabbitPublisherOptions delayQueueRabbitPublisherOptions() {
        return settings.options();
    }

    @Bean
    RabbitRoutes delayQueueRabbitRoutes(QueueCatalog queues) {
        return settings.routes(queues);
    }

    @Bean
    @ConditionalOnMissingBean
    RabbitPublisher delayQueueRabbitPublisher(
            ConfigurableListableBeanFactory beanFactory,
            ObjectProvider<ConnectionFactory> application,
            RabbitPublisherOptions options,
            QueueCatalog queues) {
        RabbitPublisher publisher = new RabbitPublisher(connectionFactory(beanFactory, application), options);
        List<RabbitDeclaration> declarations = settings.declarations(queues);
        if (!declarations.isEmpty()) {
            RabbitDeclarations.register(publisher, declarations);
        }
        return publisher;
    }

    @Bean
    @ConditionalOnMissingBean(MessageConverter.class)
    DelayQueueMessageConverter delayQueueMessageConverter(PayloadCodecs codecs) {
        return new DelayQueueMessageConverter(codecs);
    }

    private static CachingConnectionFactory connectionFactory(
            ConfigurableListableBeanFactory beanFactory, ObjectProvider<ConnectionFactory> application) {
        if (MadeByBoot.isOnly(beanFactory, ConnectionFactory.class, RabbitAutoConfiguration.class)) {
            return PublisherConnections.configured(
                    beanFactory.getBean(RabbitConnectionDetails.class),
                    beanFactory.getBean(RabbitConnectionFactoryBeanConfigurer.class),
                    beanFactory.getBean(CachingConnectionFactoryConfigurer.class),
                    beanFactory
                            .getBeanProvider(ConnectionFactoryCustomizer.class)
                            .orderedStream()
                            .toList());
        }
        ConnectionFactory factory = application.getIfUnique();
        if (factory == null) {
            throw new InvalidDelayQueueSetupException(
                    "The delay queues need one RabbitMQ ConnectionFactory, but there are "
                            + application.stream().count() + " and none of them is primary.",
                    "Mark one as @Primary, or declare a bean of type io.delayqueue.rabbit.RabbitPublisher.");
        }
        return PublisherConnections.like(factory);
    }

    /** What connects to the broker by itself. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
    static class StartConfiguration {

        @Bean
        DeclareAtStart delayQueueDeclareAtStart(
                RabbitPublisher publisher, QueueCatalog queues, DelayQueueProperties properties) {
            return new DeclareAtStart(
                    publisher,
                    !new RabbitSettingsReader(properties).declarations(queues).isEmpty());
        }

        @Bean
        DeadLetterForwarders delayQueueDeadLetterForwarders(
                RabbitPublisher publisher, QueueCatalog queues, Engine engine, DelayQueueProperties properties) {
            return new DeadLetterForwarders(new RabbitSettingsReader(properties)
                    .deadLetterRoutes(queues).entrySet().stream()
                            .map(route -> new RabbitDeadLetterForwarder(
                                    engine,
                                    queues.get(route.getKey()),
                                    publisher,
                                    route.getValue(),
                                    DEAD_LETTER_PERIOD))
                            .toList());
        }

        @Bean
        ConfiguredRabbitTriggers delayQueueConfiguredRabbitTriggers(
                TriggerContext context, RabbitPublisher publisher, RabbitRoutes routes) {
            return new ConfiguredRabbitTriggers(context, publisher, routes);
        }
    }
}
