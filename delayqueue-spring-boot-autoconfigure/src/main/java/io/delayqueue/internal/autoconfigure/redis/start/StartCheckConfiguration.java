// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Checks Redis at startup. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
public class StartCheckConfiguration {

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
        DelayQueueProperties.Redis redis = properties.redis();
        return new RedisStartCheck(
                        connections,
                        new RedisCapabilities(connections, keys, redis.commandTimeout()),
                        queues,
                        new ConfiguredShardings(queues, shardings, resharding),
                        redis.check(),
                        scheduler,
                        context::close)
                .begin();
    }
}
