// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.client.Resizing;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.redis.RedisCapabilities;
import io.delayqueue.redis.RedisKeys;
import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is asked of Redis at the start. */
@Configuration(proxyBeanMethods = false)
class StartCheckConfiguration {

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
            RedisKeys keys,
            DelayQueueProperties properties,
            RedisPromises promises,
            QueueCatalog queues,
            QueueLayouts layouts,
            Resizing resizing,
            ConfigurableApplicationContext context) {
        DelayQueueProperties.Check mode = properties.redis().check();
        Duration timeout = DelayQueueAutoConfiguration.commandTimeout(properties);
        return new RedisStartCheck(
                connection.factory(),
                new RedisServerCheck(mode),
                new RedisCapabilityCheck(mode, new RedisCapabilities(connection.factory(), keys, timeout), queues),
                promises,
                new ConfiguredLayouts(queues, layouts, resizing),
                context::close);
    }
}
