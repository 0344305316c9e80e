// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.autoconfigure.health.Brokers;
import io.delayqueue.internal.autoconfigure.metrics.RabbitMeters;
import io.delayqueue.internal.autoconfigure.rabbit.ConfiguredRabbitTriggers;
import io.delayqueue.internal.autoconfigure.rabbit.DeadLetterForwarders;
import io.delayqueue.internal.autoconfigure.rabbit.DeclareAtStart;
import io.delayqueue.internal.autoconfigure.rabbit.DelayedExchanges;
import io.delayqueue.internal.autoconfigure.rabbit.MisplacedBindings;
import io.delayqueue.internal.autoconfigure.rabbit.PublisherAddresses;
import io.delayqueue.internal.autoconfigure.rabbit.PublisherConnections;
import io.delayqueue.internal.autoconfigure.rabbit.PublishersAndIntakes;
import io.delayqueue.internal.autoconfigure.rabbit.RabbitIntakes;
import io.delayqueue.internal.autoconfigure.rabbit.RabbitSettings;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.rabbit.publisher.RabbitDeadLetterForwarder;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.internal.rabbit.publisher.TriggerExtensions;
import io.delayqueue.internal.rabbit.trigger.DelayQueueMessageConverter;
import io.delayqueue.rabbit.RabbitMessageCustomizer;
import io.delayqueue.rabbit.RabbitRouter;
import io.delayqueue.rabbit.RabbitScanTrigger;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Auto-configuration of deliveries to RabbitMQ. */
@AutoConfiguration(after = {DelayQueueAutoConfiguration.class, RabbitAutoConfiguration.class})
@ConditionalOnClass({RabbitTemplate.class, RabbitScanTrigger.class, RabbitAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "delayqueue.rabbit.enabled", matchIfMissing = true)
@ConditionalOnBean({QueueCatalog.class, ConnectionFactory.class})
@ImportRuntimeHints(PublisherAddresses.Hints.class)
public final class DelayQueueRabbitAutoConfiguration {

    private static final Duration DEAD_LETTER_PERIOD = Duration.ofSeconds(5);

    @Bean
    RabbitSettings delayQueueRabbitSettings(DelayQueueProperties properties, QueueCatalog queues) {
        return RabbitSettings.of(properties, queues);
    }

    @Bean
    RabbitRoutes delayQueueRabbitRoutes(RabbitSettings settings) {
        return settings.routes();
    }

    /** Creates the publisher, or no bean if nothing needs a broker. */
    @Bean
    @Nullable
    RabbitPublisher delayQueueRabbitPublisher(ListableBeanFactory beans, RabbitSettings settings) {
        return new PublisherConnections(beans, settings).publisher();
    }

    @Bean
    TriggerExtensions delayQueueTriggerExtensions(
            ObjectProvider<RabbitMessageCustomizer> customizers, ObjectProvider<RabbitRouter> routers) {
        return new TriggerExtensions(
                customizers.orderedStream().toList(), routers.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(MessageConverter.class)
    DelayQueueMessageConverter delayQueueMessageConverter(PayloadCodecs codecs) {
        return new DelayQueueMessageConverter(codecs);
    }

    @Bean
    PublishObservations delayQueuePublishObservations(ObjectProvider<ObservationRegistry> observations) {
        return new PublishObservations(observations.getIfUnique(() -> ObservationRegistry.NOOP));
    }

    @Bean
    Brokers delayQueueBrokers(ObjectProvider<RabbitPublisher> publisher, ObjectProvider<RabbitIntakes> intakes) {
        return new PublishersAndIntakes(publisher.getIfAvailable(), intakes.getIfAvailable());
    }

    /** Beans that use the broker from the start of the application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
    static class StartConfiguration {

        @Bean
        DeclareAtStart delayQueueDeclareAtStart(ObjectProvider<RabbitPublisher> publisher, RabbitSettings settings) {
            return new DeclareAtStart(settings.declarations().isEmpty() ? null : publisher.getObject());
        }

        @Bean
        DeadLetterForwarders delayQueueDeadLetterForwarders(
                ObjectProvider<RabbitPublisher> publisher,
                QueueCatalog queues,
                Engine engine,
                RabbitSettings settings) {
            return new DeadLetterForwarders(settings.deadLetterRoutes().entrySet().stream()
                    .map(route -> new RabbitDeadLetterForwarder(
                            engine,
                            queues.get(route.getKey()),
                            publisher.getObject(),
                            route.getValue(),
                            DEAD_LETTER_PERIOD))
                    .toList());
        }

        @Bean
        RabbitIntakes delayQueueRabbitIntakes(
                ListableBeanFactory beans, RabbitSettings settings, ObjectProvider<DelayQueueTemplate> template) {
            return new RabbitIntakes(
                    settings.ownIntakes(),
                    () -> template.getObject().changes(),
                    () -> new PublisherConnections(beans, settings).intakes());
        }

        @Bean
        @ConditionalOnBooleanProperty("delayqueue.rabbit.replace-delayed-exchanges")
        DelayedExchanges delayQueueDelayedExchanges(
                ListableBeanFactory beans, RabbitSettings settings, RabbitPublisher publisher, RabbitIntakes intakes) {
            return new DelayedExchanges(beans, settings, publisher, intakes);
        }

        @Bean
        @ConditionalOnBooleanProperty(
                name = "delayqueue.rabbit.replace-delayed-exchanges",
                havingValue = false,
                matchIfMissing = true)
        MisplacedBindings delayQueueMisplacedBindings(ListableBeanFactory beans, RabbitSettings settings) {
            return new MisplacedBindings(beans, List.copyOf(settings.intakes().values()));
        }

        @Bean
        ConfiguredRabbitTriggers delayQueueConfiguredRabbitTriggers(
                QueueCatalog queues,
                BeanFactory beans,
                RabbitRoutes routes,
                DelayQueueProperties properties,
                TriggerExtensions extensions) {
            return new ConfiguredRabbitTriggers(queues, beans, routes, properties.intakeQueues(), extensions.routers());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    static class MetersConfiguration {

        @Bean
        RabbitMeters delayQueueRabbitMeters(
                ObjectProvider<RabbitPublisher> publisher, ObjectProvider<RabbitIntakes> intakes) {
            return new RabbitMeters(
                    publisher.getIfAvailable(), watcher -> intakes.ifAvailable(all -> all.each(watcher)));
        }
    }
}
