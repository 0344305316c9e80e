// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import io.delayqueue.internal.redis.RedisTarget;
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
 * Starts an {@link EmbeddedRedis}. The delay queues use it whatever else the application connects to, and so does Spring
 * Boot where its Redis module is on the class path.
 *
 * <p>Off unless {@code delayqueue.test.embedded.redis} is {@code true}, or {@code auto} and the application names no
 * Redis under {@code delayqueue.redis} or {@code spring.data.redis}. Backs off from connection details that the
 * application has, such as those of a container. The server ends with the context, after the beans that use it, and its
 * data with it.
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
    EmbeddedRedis embeddedRedis() {
        EmbeddedRedis server = new EmbeddedRedis();
        server.start();
        log.info("This application runs on {}, data is lost at exit", server);
        return server;
    }

    @Bean
    RedisTarget embeddedRedisTarget(EmbeddedRedis embeddedRedis) {
        return RedisTarget.of(RedisURI.create(embeddedRedis.uri()));
    }

    /** Points Spring Boot at the server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    static class SpringDataConfiguration {

        /** Spring Boot takes TLS from this property, whatever the connection details are. */
        @Bean
        static BeanFactoryPostProcessor embeddedRedisWithoutTls(ConfigurableEnvironment environment) {
            return beans -> environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource("delayqueue embedded Redis", Map.of("spring.data.redis.url", "")));
        }

        @Bean
        DataRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedis embeddedRedis) {
            return new RedisServerConnectionDetails(embeddedRedis.uri());
        }
    }
}
