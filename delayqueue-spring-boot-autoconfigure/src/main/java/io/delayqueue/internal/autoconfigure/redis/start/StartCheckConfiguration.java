// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.autoconfigure.DelayQueueRedisConnection;
import io.delayqueue.autoconfigure.RedisDurabilityReport;
import io.delayqueue.internal.autoconfigure.redis.RedisConfiguration;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.check.RedisCapabilities;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.sharding.Resizing;
import io.delayqueue.queue.QueueCatalog;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is asked of Redis at the start. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
public class StartCheckConfiguration {

    @Bean
    RedisDurabilityReport delayQueueRedisPromises(
            DelayQueueRedisConnection connection, QueueCatalog queues, DelayQueueProperties properties) {
        return new RedisDurabilityReport(
                connection.factory(),
                queues,
                properties.redis().report() && properties.redis().check() != DelayQueueProperties.Check.OFF);
    }

    @Bean
    RedisStartCheck delayQueueRedisStartCheck(
            DelayQueueRedisConnection connection,
            RedisKeys keys,
            DelayQueueProperties properties,
            RedisDurabilityReport promises,
            QueueCatalog queues,
            QueueLayouts layouts,
            Resizing resizing,
            Scheduler scheduler,
            ConfigurableApplicationContext context) {
        DelayQueueProperties.Check mode = properties.redis().check();
        Duration timeout = RedisConfiguration.commandTimeout(properties);
        return new RedisStartCheck(
                connection::awaitConnected,
                connection.factory(),
                new RedisServerCheck(mode),
                new RedisCapabilityCheck(mode, new RedisCapabilities(connection.connections(), keys, timeout), queues),
                promises,
                new ConfiguredLayouts(queues, layouts, resizing),
                scheduler,
                context::close);
    }
}
