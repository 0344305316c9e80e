// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.client.ClientOptions;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.delivery.QuarantineListener;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTaskStore;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.sharding.Resizing;
import io.delayqueue.internal.sharding.StoredLayouts;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.TaskLimits;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Auto-configuration of delay queues on Redis. What goes to RabbitMQ is in a configuration of its own.
 */
@AutoConfiguration(after = {DataRedisAutoConfiguration.class, JacksonAutoConfiguration.class})
@ConditionalOnClass({LettuceConnectionFactory.class, RedisClient.class})
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueProperties.class)
@Import({PayloadConfiguration.class, DeliveryConfiguration.class, StartCheckConfiguration.class})
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
    TaskStore delayQueueTaskStore(
            DelayQueueRedisConnection connection, RedisKeys keys, DelayQueueProperties properties) {
        return new RedisTaskStore(
                connection.factory(), keys, commandTimeout(properties), replicasTimeout(properties), () -> 0);
    }

    @Bean
    @ConditionalOnMissingBean
    QueueCatalog delayQueueCatalog(DelayQueueProperties properties, PayloadCodecs codecs) {
        return new QueueCatalog(new QueueSettingsReader(properties, codecs).read());
    }

    @Bean
    TaskLimits delayQueueTaskLimits(DelayQueueProperties properties) {
        return TaskLimitsReader.read(properties.limits());
    }

    @Bean
    @ConditionalOnMissingBean
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
    StoredLayouts delayQueueLayouts(TaskStore store, QueueCatalog queues) {
        return new StoredLayouts(store.layouts(), queues);
    }

    @Bean
    Resizing delayQueueResizing(TaskStore store, QueueLayouts layouts) {
        return new Resizing(store, layouts);
    }

    @Bean
    Engine delayQueueEngine(TaskStore store, QueueLayouts layouts, ObjectProvider<QuarantineListener> quarantine) {
        return Engine.over(store, layouts, quarantine.orderedStream().toList());
    }

    @Bean
    RedisWakeSignals delayQueueWakeSignals(
            DelayQueueRedisConnection connection, RedisKeys keys, DelayQueueProperties properties) {
        Duration heartbeat = PropertyValue.positive(new PropertyValue<>(
                "delayqueue.redis.heartbeat", properties.redis().heartbeat()));
        return new RedisWakeSignals(connection.factory(), keys, heartbeat);
    }

    private static int requestQueueSize(DelayQueueProperties properties) {
        return PropertyValue.atLeastOne(new PropertyValue<>(
                "delayqueue.redis.request-queue-size", properties.redis().requestQueueSize()));
    }

    static Duration commandTimeout(DelayQueueProperties properties) {
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
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    static class MetersConfiguration {

        @Bean
        QuarantineMeters delayQueueQuarantineMeters(QueueCatalog queues) {
            return new QuarantineMeters(queues);
        }
    }
}
