// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.test.AmqpServerConnectionDetails;
import io.delayqueue.internal.test.RedisServerConnectionDetails;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.ClassUtils;

/**
 * Points a test's Spring Boot context at the shared servers. A record, so that equal requests share a cached context.
 */
record ServersContextCustomizer(DelayQueueServers.Redis redis, DelayQueueServers.Rabbit rabbit)
        implements ContextCustomizer {

    private static final String REDIS_DETAILS =
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails";
    private static final String RABBIT_DETAILS = "org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        SharedServers servers = SharedServers.INSTANCE;
        if (redis != DelayQueueServers.Redis.NONE) {
            URI uri = servers.redis(redis).uri();
            register(context, RedisTarget.class, () -> RedisTarget.of(RedisURI.create(uri)));
            if (ClassUtils.isPresent(REDIS_DETAILS, context.getClassLoader())) {
                register(context, RedisServerConnectionDetails.class, () -> new RedisServerConnectionDetails(uri));
            }
            nameServer(context, uri);
        }
        if (rabbit != DelayQueueServers.Rabbit.NONE && ClassUtils.isPresent(RABBIT_DETAILS, context.getClassLoader())) {
            URI uri = rabbit == DelayQueueServers.Rabbit.REAL
                    ? servers.rabbit().uri()
                    : servers.broker().uri();
            register(context, AmqpServerConnectionDetails.class, () -> new AmqpServerConnectionDetails(uri));
        }
    }

    /** Spring Boot reads TLS from this property even with connection details. The kit starts no server then. */
    private static void nameServer(ConfigurableApplicationContext context, URI redis) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(
                        new MapPropertySource("delayqueue servers", Map.of("spring.data.redis.url", redis.toString())));
    }

    private static <T> void register(ConfigurableApplicationContext context, Class<T> type, Supplier<T> supplier) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
        registry.registerBeanDefinition(type.getName(), new RootBeanDefinition(type, supplier));
    }
}
