// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.test.RedisServerConnectionDetails;
import io.delayqueue.test.autoconfigure.OnEmbeddedServerCondition.OnEmbeddedRedis;
import io.delayqueue.test.server.EmbeddedRedis;
import io.lettuce.core.RedisURI;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Auto-configuration that starts an {@link EmbeddedRedis}. The delay queues use this server, regardless of other
 * connections of the application. Spring Boot also uses it if its Redis module is on the class path.
 *
 * <p>Active only if {@code delayqueue.test.embedded.redis} is {@code true}, or if it is {@code auto} and the
 * application sets no address in {@code delayqueue.redis} or {@code spring.data.redis}. Backs off if there are
 * connection details, for example from a container. When the context closes, the server stops after the beans that use
 * it, and its data is deleted.
 */
@AutoConfiguration(beforeName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnMissingBean(
        value = RedisTarget.class,
        type = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
            "io.delayqueue.autoconfigure.DelayQueueRedisConnectionDetails"
        })
@Conditional(OnEmbeddedRedis.class)
public final class EmbeddedRedisAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedisAutoConfiguration.class);

    @Bean(destroyMethod = "close")
    EmbeddedRedis delayQueueTestRedis() {
        EmbeddedRedis server = new EmbeddedRedis();
        server.start();
        log.info("Using {}. Data is lost at exit.", server);
        return server;
    }

    @Bean
    RedisTarget delayQueueTestRedisTarget(EmbeddedRedis server) {
        return RedisTarget.of(RedisURI.create(server.uri()));
    }

    /** Points Spring Boot to the server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    static class SpringDataConfiguration {

        /** Turns off TLS. Spring Boot reads this property even if there are connection details. */
        @Bean
        static BeanFactoryPostProcessor delayQueueTestRedisWithoutTls(ConfigurableEnvironment environment) {
            return beans -> environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource("delayqueue embedded Redis", Map.of("spring.data.redis.url", "")));
        }

        @Bean
        DataRedisConnectionDetails delayQueueTestRedisConnectionDetails(EmbeddedRedis server) {
            return new RedisServerConnectionDetails(server.uri());
        }
    }
}
