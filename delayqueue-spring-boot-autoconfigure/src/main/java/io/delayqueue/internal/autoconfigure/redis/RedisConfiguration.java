// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.internal.autoconfigure.metrics.QueueOutlooks;
import io.delayqueue.internal.autoconfigure.redis.start.RedisStartCheck;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.PropertyRule;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.ScriptRunner;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The task store and its connection to Redis. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
@ImportRuntimeHints(RedisConfiguration.Hints.class)
public class RedisConfiguration {

    @Bean
    public RedisKeys delayQueueRedisKeys(DelayQueueProperties properties) {
        return new RedisKeys(properties.keyPrefix());
    }

    /** Creates the connections. Looks up the server when the first queue needs it. */
    @Bean(destroyMethod = "close")
    RedisConnections delayQueueRedisConnections(
            ConfigurableListableBeanFactory beans, Environment environment, DelayQueueProperties properties) {
        ApplicationRedis application =
                new ApplicationRedis(beans, environment, properties.redis().connectionFactory());
        return new RedisConnections(
                application::target,
                properties.redis().commandTimeout(),
                properties.redis().requestQueueSize());
    }

    @Bean
    TaskStore delayQueueTaskStore(
            RedisConnections connections,
            RedisKeys keys,
            QueueCatalog queues,
            DelayQueueProperties properties,
            ObjectProvider<QueueClock> clock) {
        if (!queues.names().isEmpty()) {
            connections.connectAhead();
        }
        Duration timeout = properties.redis().commandTimeout();
        return new TaskStore(
                new ScriptRunner(connections, timeout, replicasTimeout(properties)),
                keys,
                timeout,
                queues::historyLength,
                clock.getIfUnique(() -> QueueClock.SERVERS));
    }

    @Bean
    Shardings delayQueueShardings(TaskStore store, QueueCatalog queues, Scheduler scheduler) {
        return new Shardings(store.shardings(), queues, scheduler);
    }

    /** Checks Redis at startup. */
    @Bean
    RedisStartCheck delayQueueRedisStartCheck(
            RedisConnections connections,
            RedisKeys keys,
            DelayQueueProperties properties,
            QueueCatalog queues,
            Shardings shardings,
            Resharding resharding,
            Scheduler scheduler,
            ConfigurableApplicationContext context) {
        return new RedisStartCheck(
                        connections, keys, queues, shardings, resharding, properties.redis(), scheduler, context::close)
                .begin();
    }

    /** Creates the figures of the queues. Redis is queried only when something first reads them. */
    @Bean
    QueueOutlooks delayQueueOutlooks(
            TaskStore store,
            Shardings shardings,
            QueueCatalog queues,
            Scheduler scheduler,
            DelayQueueProperties properties) {
        return new QueueOutlooks(
                store, shardings, queues, scheduler, properties.metrics().interval());
    }

    @Bean
    RedisWakeSignals delayQueueWakeSignals(
            RedisConnections connections, RedisKeys keys, DelayQueueProperties properties, Scheduler scheduler) {
        return new RedisWakeSignals(connections, keys, properties.redis().heartbeat(), scheduler);
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

    /** Registers members that are accessed by reflection, for native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(RedisAddress.class).registerHints(hints);
            if (ClassUtils.isPresent(
                    "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory", classLoader)) {
                hints.reflection().registerField(SpringDataRedis.serversField());
            }
        }
    }
}
