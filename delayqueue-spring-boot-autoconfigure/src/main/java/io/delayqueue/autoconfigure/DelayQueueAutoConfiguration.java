// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.TransactionMode;
import io.delayqueue.WorkingDays;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.autoconfigure.metrics.MetersConfiguration;
import io.delayqueue.internal.autoconfigure.redis.DisabledConfiguration;
import io.delayqueue.internal.autoconfigure.redis.RedisConfiguration;
import io.delayqueue.internal.autoconfigure.settings.CheckedProperties;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.QueueSettingsReader;
import io.delayqueue.internal.autoconfigure.tracing.ObservationConfiguration;
import io.delayqueue.internal.autoconfigure.trigger.DeliveryConfiguration;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryCheck;
import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.engine.DeliveryEvents;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.transaction.TransactionalCalls;
import io.lettuce.core.RedisClient;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of delay queues on Redis. RabbitMQ has a separate auto-configuration. With {@code
 * delayqueue.enabled=false}, the same beans exist, but they do not connect, and every call fails.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
        })
@ConditionalOnClass(RedisClient.class)
@Import({
    ControlConfiguration.class,
    PayloadConfiguration.class,
    RedisConfiguration.class,
    DisabledConfiguration.class,
    DeliveryConfiguration.class,
    TransactionsConfiguration.class,
    MetersConfiguration.class,
    ObservationConfiguration.class
})
public final class DelayQueueAutoConfiguration {

    @Bean
    static CheckedProperties delayQueueCheckedProperties(Environment environment) {
        return new CheckedProperties(new PropertySourcesPlaceholdersResolver(environment));
    }

    @Bean
    QueueCatalog delayQueueCatalog(DelayQueueProperties properties, PayloadCodecs codecs, ListableBeanFactory beans) {
        return new QueueCatalog(new QueueSettingsReader(properties, codecs, calendars(beans)).read());
    }

    /** Returns the calendars by bean name. A bean is created when a window first uses it. */
    private static Map<String, WorkingDays> calendars(ListableBeanFactory beans) {
        return Stream.of(beans.getBeanNamesForType(WorkingDays.class, true, false))
                .collect(Collectors.toMap(
                        name -> name,
                        name -> day -> beans.getBean(name, WorkingDays.class).isWorkingDay(day)));
    }

    @Bean
    TaskBounds delayQueueTaskBounds(DelayQueueProperties properties) {
        return new TaskBounds((int) properties.maxPayloadSize().toBytes(), properties.maxIdLength(), (int)
                properties.maxHeaderSize().toBytes());
    }

    @Bean
    DelayQueueTemplate delayQueueTemplate(
            TaskStore store,
            QueueCatalog queues,
            Shardings shardings,
            PayloadCodecs codecs,
            TaskBounds bounds,
            DelayQueueProperties properties,
            WakeSignals signals,
            ObjectProvider<TransactionsConfiguration.Modes> transactions,
            ObjectProvider<ObservationRegistry> observations) {
        DelayQueueTemplate template = new DelayQueueTemplate(
                store,
                queues,
                shardings,
                codecs,
                bounds,
                new ClientOptions(
                        properties.redis().commandTimeout(), properties.redis().requestQueueSize()));
        TransactionsConfiguration.Modes modes = transactions.getIfAvailable();
        DelayQueueTemplate within = (modes == null)
                ? template.within(mode -> TransactionalCalls.NONE, TransactionMode.IMMEDIATE)
                : template.within(modes.calls(), properties.transactions());
        return within.signallingBy(signals).observed(observations.getIfUnique(() -> ObservationRegistry.NOOP));
    }

    @Bean
    @ConditionalOnMissingBean(value = DelayQueueAdmin.class, search = SearchStrategy.CURRENT)
    TaskStoreAdmin delayQueueAdmin(TaskStore store, QueueCatalog queues, Shardings shardings, Resharding resharding) {
        return new TaskStoreAdmin(store, queues, shardings, resharding);
    }

    @Bean
    Resharding delayQueueResharding(TaskStore store, Shardings shardings) {
        return new Resharding(store, shardings);
    }

    @Bean
    Engine delayQueueEngine(
            TaskStore store,
            Shardings shardings,
            Scheduler scheduler,
            QueueCatalog queues,
            ApplicationEventPublisher events,
            ObjectProvider<DeliveryCheck> check,
            ObjectProvider<DeliveryCounter> counters,
            DelayQueueProperties properties,
            @Value("${spring.application.name:application}") String application) {
        Engine engine = new Engine(
                store,
                shardings,
                scheduler,
                new EngineHooks(
                        new DeliveryEvents(counters.orderedStream().toList()),
                        events::publishEvent,
                        check.getIfAvailable()));
        engine.announce(application, queues, Set.copyOf(properties.health().expectedDifferences()));
        return engine;
    }

    @Bean
    static Scheduler delayQueueScheduler() {
        return new Scheduler();
    }
}
