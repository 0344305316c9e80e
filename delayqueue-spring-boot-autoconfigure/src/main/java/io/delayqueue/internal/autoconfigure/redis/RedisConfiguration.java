// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.autoconfigure.DelayQueueRedisConnection;
import io.delayqueue.internal.autoconfigure.metrics.QueueOutlooks;
import io.delayqueue.internal.autoconfigure.settings.BuiltAs;
import io.delayqueue.internal.autoconfigure.settings.PropertyRule;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.input.DurationText;
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

    private static final int STALE_AFTER_INTERVALS = 8;

    @Bean
    public RedisKeys delayQueueRedisKeys(DelayQueueProperties properties) {
        BuiltAs.check(properties, true);
        return new RedisKeys(properties.keyPrefix());
    }

    @Bean
    @ConditionalOnMissingBean
    DelayQueueRedisConnection delayQueueRedisConnection(
            ConfigurableListableBeanFactory beanFactory, DelayQueueProperties properties) {
        ApplicationRedis application = new ApplicationRedis(beanFactory);
        RedisConnectionFactory factory = application.factory(properties.redis().connectionFactory());
        return DelayQueueRedisConnection.derivedFrom(
                factory,
                properties.redis().commandTimeout(),
                properties.redis().requestQueueSize(),
                application.certificates(factory));
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
                properties.redis().commandTimeout(),
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
                properties.metrics().interval(),
                properties.metrics().interval().multipliedBy(STALE_AFTER_INTERVALS));
    }

    @Bean
    RedisWakeSignals delayQueueWakeSignals(
            DelayQueueRedisConnection connection,
            RedisKeys keys,
            DelayQueueProperties properties,
            Scheduler scheduler) {
        return new RedisWakeSignals(
                connection.connections(), keys, properties.redis().heartbeat(), scheduler);
    }

    private static Duration replicasTimeout(DelayQueueProperties properties) {
        Duration longest = TaskStore.longestReplicasTimeout(properties.redis().commandTimeout());
        Duration configured = properties.redis().replicasTimeout();
        return (configured == null)
                ? longest
                : new PropertyRule<Duration>(
                                timeout -> timeout.toMillis() >= 1 && timeout.compareTo(longest) <= 0,
                                "between 1ms and a quarter of delayqueue.redis.command-timeout ("
                                        + DurationText.of(longest) + ")")
                        .check("delayqueue.redis.replicas-timeout", configured);
    }
}
