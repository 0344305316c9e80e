// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.autoconfigure.DelayQueueRedisConnection;
import io.delayqueue.internal.autoconfigure.metrics.QueueOutlooks;
import io.delayqueue.internal.autoconfigure.settings.BuiltAs;
import io.delayqueue.internal.autoconfigure.settings.PropertyValue;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisServersCheck;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueCatalog;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** What keeps tasks in Redis, and the connection to it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
public class RedisConfiguration {

    @Bean
    public RedisKeys delayQueueRedisKeys(DelayQueueProperties properties) {
        BuiltAs.check(properties, true);
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
            ConfigurableListableBeanFactory beanFactory, DelayQueueProperties properties) {
        ApplicationRedis application = new ApplicationRedis(beanFactory);
        RedisConnectionFactory factory = application.factory(properties.redis().connectionFactory());
        return DelayQueueRedisConnection.derivedFrom(
                factory, commandTimeout(properties), requestQueueSize(properties), application.certificates(factory));
    }

    /** Closed with the bean that holds them. */
    @Bean(destroyMethod = "")
    RedisConnections delayQueueRedisConnections(DelayQueueRedisConnection connection) {
        return connection.connections();
    }

    @Bean
    TaskStore delayQueueTaskStore(
            DelayQueueRedisConnection connection,
            RedisConnections connections,
            RedisKeys keys,
            QueueCatalog queues,
            DelayQueueProperties properties,
            ObjectProvider<QueueClock> clock,
            ConfigurableListableBeanFactory beanFactory) {
        check(connection, properties, beanFactory);
        if (!queues.names().isEmpty()) {
            connection.connectAhead();
        }
        return new TaskStore(
                connections,
                keys,
                commandTimeout(properties),
                replicasTimeout(properties),
                queues::historyLength,
                clock.getIfUnique(() -> QueueClock.SERVERS));
    }

    /** Before anything connects. */
    private static void check(
            DelayQueueRedisConnection connection,
            DelayQueueProperties properties,
            ConfigurableListableBeanFactory beanFactory) {
        String named = properties.redis().connectionFactory();
        beanFactory
                .getBeanProvider(RedisServersCheck.class)
                .ifAvailable(check ->
                        check.check(connection.factory(), new ApplicationRedis(beanFactory).origin(connection, named)));
    }

    @Bean
    QueueLayouts delayQueueLayouts(TaskStore store, QueueCatalog queues, Scheduler scheduler) {
        return new QueueLayouts(store.layouts(), queues, scheduler);
    }

    /** Asks nothing before somebody wants to know. */
    @Bean
    QueueOutlooks delayQueueOutlooks(
            TaskStore store,
            QueueLayouts layouts,
            QueueCatalog queues,
            Scheduler scheduler,
            DelayQueueProperties properties) {
        return new QueueOutlooks(
                store,
                layouts,
                queues,
                scheduler,
                PropertyValue.between(
                        new PropertyValue<>(
                                "delayqueue.metrics.interval",
                                properties.metrics().interval()),
                        Duration.ofSeconds(1),
                        Duration.ofHours(1)),
                PropertyValue.positive(new PropertyValue<>(
                        "delayqueue.metrics.stale-after", properties.metrics().staleAfter())));
    }

    @Bean
    RedisWakeSignals delayQueueWakeSignals(
            DelayQueueRedisConnection connection,
            RedisKeys keys,
            DelayQueueProperties properties,
            Scheduler scheduler) {
        Duration heartbeat = PropertyValue.positive(new PropertyValue<>(
                "delayqueue.redis.heartbeat", properties.redis().heartbeat()));
        return new RedisWakeSignals(connection.connections(), keys, heartbeat, scheduler);
    }

    public static int requestQueueSize(DelayQueueProperties properties) {
        return PropertyValue.atLeastOne(new PropertyValue<>(
                "delayqueue.redis.request-queue-size", properties.redis().requestQueueSize()));
    }

    public static Duration commandTimeout(DelayQueueProperties properties) {
        return PropertyValue.positive(new PropertyValue<>(
                "delayqueue.redis.command-timeout", properties.redis().commandTimeout()));
    }

    private static Duration replicasTimeout(DelayQueueProperties properties) {
        Duration longest = TaskStore.longestReplicasTimeout(commandTimeout(properties));
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
}
