// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.DelayQueueAdmin;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListenerBeanPostProcessor;
import io.delayqueue.client.ClientOptions;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.client.Resizing;
import io.delayqueue.client.TaskStoreAdmin;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.MessagePackPayloadCodec;
import io.delayqueue.codec.PayloadCodec;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.engine.DeliveryInterceptor;
import io.delayqueue.engine.Engine;
import io.delayqueue.engine.InterceptorChain;
import io.delayqueue.engine.QuarantineListener;
import io.delayqueue.engine.QuarantineListeners;
import io.delayqueue.engine.StoredLayouts;
import io.delayqueue.handler.DelayedTasks;
import io.delayqueue.handler.TaskHandlerRegistry;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.queue.TaskLimits;
import io.delayqueue.redis.RedisKeys;
import io.delayqueue.redis.RedisLayoutStore;
import io.delayqueue.redis.RedisTaskStore;
import io.delayqueue.redis.RedisWakeSignals;
import io.delayqueue.store.LayoutStore;
import io.delayqueue.store.ShardOwnership;
import io.delayqueue.store.TaskStore;
import io.delayqueue.store.WakeSignals;
import io.delayqueue.trigger.TriggerContext;
import io.lettuce.core.RedisClient;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Comparator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.validation.Validator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration of delay queues on Redis. What goes to RabbitMQ is in a configuration of its own.
 */
@AutoConfiguration(after = {DataRedisAutoConfiguration.class, JacksonAutoConfiguration.class})
@ConditionalOnClass({LettuceConnectionFactory.class, RedisClient.class})
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueProperties.class)
public final class DelayQueueAutoConfiguration {

    @Bean
    static EmptyQueues delayQueueEmptyQueues() {
        return new EmptyQueues();
    }

    @Bean
    static UnreadProperties delayQueueUnreadProperties() {
        return new UnreadProperties();
    }

    @Bean
    @ConditionalOnMissingBean
    RedisKeys delayQueueRedisKeys(DelayQueueProperties properties) {
        PropertyValue<String> prefix = new PropertyValue<>("delayqueue.key-prefix", properties.keyPrefix());
        try {
            return new RedisKeys(prefix.value());
        } catch (IllegalArgumentException ex) {
            prefix.require(any -> false, "1 to 64 letters, digits, '.', '_', ':' or '-'");
            throw ex;
        }
    }

    @Bean
    @ConditionalOnMissingBean
    DelayQueueRedisConnection delayQueueRedisConnection(
            ObjectProvider<RedisConnectionFactory> application, DelayQueueProperties properties) {
        RedisConnectionFactory factory = application.getIfUnique();
        if (factory == null) {
            throw new InvalidDelayQueueSetupException(
                    "The delay queues need one RedisConnectionFactory, but there are "
                            + application.stream().count() + " and none of them is primary.",
                    "Mark one as @Primary, or declare a bean of type DelayQueueRedisConnection.");
        }
        return DelayQueueRedisConnection.derivedFrom(factory, commandTimeout(properties), requestQueueSize(properties));
    }

    @Bean
    @ConditionalOnMissingBean
    TaskStore delayQueueTaskStore(
            DelayQueueRedisConnection connection, RedisKeys keys, DelayQueueProperties properties) {
        return new RedisTaskStore(
                connection.factory(), keys, commandTimeout(properties), replicasTimeout(properties), () -> 0);
    }

    @Bean
    @ConditionalOnMissingBean
    JacksonPayloadCodec delayQueueJsonCodec(ObjectProvider<JsonMapper> mapper) {
        return new JacksonPayloadCodec(mapper.getIfUnique(
                () -> JsonMapper.builder().findAndAddModules().build()));
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadCodecs delayQueuePayloadCodecs(ObjectProvider<PayloadCodec> codecs) {
        return new PayloadCodecs(codecs.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    QueueCatalog delayQueueCatalog(DelayQueueProperties properties, PayloadCodecs codecs) {
        return new QueueCatalog(new QueueSettingsReader(properties, codecs).read());
    }

    @Bean
    @ConditionalOnMissingBean
    TaskLimits delayQueueTaskLimits(DelayQueueProperties properties) {
        return TaskLimitsReader.read(properties.limits());
    }

    @Bean
    @ConditionalOnMissingBean(DelayQueueOperations.class)
    DelayQueueTemplate delayQueueTemplate(
            TaskStore store,
            QueueCatalog queues,
            QueueLayouts layouts,
            PayloadCodecs codecs,
            TaskLimits limits,
            DelayQueueProperties properties) {
        return new DelayQueueTemplate(
                store,
                queues,
                layouts,
                codecs,
                limits,
                new ClientOptions(commandTimeout(properties), requestQueueSize(properties)));
    }

    @Bean
    @ConditionalOnMissingBean(DelayQueueAdmin.class)
    TaskStoreAdmin delayQueueAdmin(TaskStore store, QueueCatalog queues, QueueLayouts layouts, Resizing resizing) {
        return new TaskStoreAdmin(store, queues, layouts, resizing);
    }

    @Bean
    @ConditionalOnMissingBean
    LayoutStore delayQueueLayoutStore(
            DelayQueueRedisConnection connection, RedisKeys keys, DelayQueueProperties properties) {
        return new RedisLayoutStore(connection.factory(), keys, commandTimeout(properties));
    }

    @Bean
    @ConditionalOnMissingBean(QueueLayouts.class)
    StoredLayouts delayQueueLayouts(LayoutStore store, QueueCatalog queues) {
        return new StoredLayouts(store, queues);
    }

    @Bean
    @ConditionalOnMissingBean
    Resizing delayQueueResizing(TaskStore store, LayoutStore layoutStore, QueueLayouts layouts) {
        return new Resizing(store, layoutStore, layouts);
    }

    @Bean
    @ConditionalOnMissingBean
    Engine delayQueueEngine(
            TaskStore store,
            LayoutStore layoutStore,
            QueueLayouts layouts,
            ObjectProvider<QuarantineListener> quarantine) {
        return Engine.over(
                store,
                layoutStore,
                layouts,
                new QuarantineListeners(quarantine.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean(WakeSignals.class)
    RedisWakeSignals delayQueueWakeSignals(
            DelayQueueRedisConnection connection, RedisKeys keys, DelayQueueProperties properties) {
        Duration heartbeat = PropertyValue.positive(new PropertyValue<>(
                "delayqueue.redis.heartbeat", properties.redis().heartbeat()));
        return new RedisWakeSignals(connection.factory(), keys, heartbeat);
    }

    @Bean
    @ConditionalOnMissingBean
    TriggerContext delayQueueTriggerContext(
            Engine engine,
            QueueCatalog queues,
            WakeSignals wakeSignals,
            ObjectProvider<ShardOwnership> ownership,
            ObjectProvider<DeliveryInterceptor> interceptors,
            Environment environment) {
        return new TriggerContext(
                engine,
                queues,
                wakeSignals,
                chosen(ownership),
                new InterceptorChain(interceptors.orderedStream().toList()),
                Threading.VIRTUAL.isActive(environment));
    }

    @Bean
    @ConditionalOnMissingBean
    DelayedTasks delayQueueDelayedTasks(PayloadCodecs codecs) {
        return new DelayedTasks(codecs);
    }

    @Bean
    @ConditionalOnMissingBean
    TaskHandlerRegistry delayQueueTaskHandlerRegistry(
            TriggerContext context,
            DelayedTasks tasks,
            ObjectProvider<ObservationRegistry> observations,
            DelayQueueProperties properties) {
        return new TaskHandlerRegistry(
                context,
                tasks,
                observations.getIfUnique(() -> ObservationRegistry.NOOP),
                properties.handlers().neverRetryFor());
    }

    @Bean
    static DelayQueueListenerBeanPostProcessor delayQueueListenerBeanPostProcessor(
            ObjectProvider<TaskHandlerRegistry> registry,
            ObjectProvider<DelayedTasks> tasks,
            ObjectProvider<Validator> validator) {
        return new DelayQueueListenerBeanPostProcessor(registry, tasks, validator);
    }

    @Bean
    TriggerInventory delayQueueTriggerInventory(
            DefaultListableBeanFactory beanFactory,
            DelayQueueProperties properties,
            QueueCatalog queues,
            ObjectProvider<ConfiguredTriggers> kinds,
            DelayQueueListenerBeanPostProcessor listeners,
            TaskHandlerRegistry handlers) {
        return new TriggerInventory(
                beanFactory,
                properties,
                queues,
                kinds.orderedStream().toList(),
                () -> {
                    listeners.afterSingletonsInstantiated();
                    return handlers.queues();
                },
                handlers::refuse);
    }

    @Bean
    RedisPromises delayQueueRedisPromises(
            DelayQueueRedisConnection connection, QueueCatalog queues, DelayQueueProperties properties) {
        return new RedisPromises(
                connection.factory(),
                queues,
                properties.redis().report() && properties.redis().check() != DelayQueueProperties.Check.OFF);
    }

    @Bean
    RedisStartCheck delayQueueRedisStartCheck(
            DelayQueueRedisConnection connection,
            DelayQueueProperties properties,
            RedisPromises promises,
            QueueCatalog queues,
            QueueLayouts layouts,
            Resizing resizing,
            ConfigurableApplicationContext context) {
        return new RedisStartCheck(
                connection.factory(),
                new RedisServerCheck(properties.redis().check()),
                promises,
                new ConfiguredLayouts(queues, layouts, resizing),
                context::close);
    }

    /** The application's, if it has one. */
    private static ShardOwnership chosen(ObjectProvider<ShardOwnership> candidates) {
        return candidates
                .orderedStream()
                .min(Comparator.comparing(RedisWakeSignals.class::isInstance))
                .orElse(ShardOwnership.EVERYONE);
    }

    private static int requestQueueSize(DelayQueueProperties properties) {
        return PropertyValue.atLeastOne(new PropertyValue<>(
                "delayqueue.redis.request-queue-size", properties.redis().requestQueueSize()));
    }

    private static Duration commandTimeout(DelayQueueProperties properties) {
        return PropertyValue.positive(new PropertyValue<>(
                "delayqueue.redis.command-timeout", properties.redis().commandTimeout()));
    }

    private static Duration replicasTimeout(DelayQueueProperties properties) {
        Duration longest = RedisTaskStore.longestReplicasTimeout(commandTimeout(properties));
        Duration configured = properties.redis().replicasTimeout();
        if (configured == null) {
            return longest;
        }
        return new PropertyValue<>("delayqueue.redis.replicas-timeout", configured)
                .require(
                        timeout -> timeout.toMillis() >= 1 && timeout.compareTo(longest) <= 0,
                        "between 1ms and a quarter of delayqueue.redis.command-timeout (" + PropertyValue.shown(longest)
                                + ")");
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.msgpack.jackson.dataformat.MessagePackMapper")
    static class MessagePackConfiguration {

        @Bean
        @ConditionalOnMissingBean
        MessagePackPayloadCodec delayQueueMessagePackCodec() {
            return new MessagePackPayloadCodec();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    static class MetersConfiguration {

        @Bean
        QuarantineMeters delayQueueQuarantineMeters(QueueCatalog queues) {
            return new QuarantineMeters(queues);
        }
    }
}
