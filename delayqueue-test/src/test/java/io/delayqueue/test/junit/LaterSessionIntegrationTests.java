// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.context.TestContextManager;

/** A session of JUnit's launcher that ends, and another one in the same JVM. */
class LaterSessionIntegrationTests {

    @Test
    void contextWhenItsSessionHasEndedIsMadeAnew() throws Exception {
        ConfigurableApplicationContext first = context();
        assertThat(context()).isSameAs(first);
        SharedServers.INSTANCE.close();
        assertThat(first.isActive()).isFalse();

        ConfigurableApplicationContext second = context();

        assertThat(second.isActive()).isTrue();
        StringRedisTemplate template = second.getBean(StringRedisTemplate.class);
        template.opsForValue().set("key", "value");
        assertThat(template.opsForValue().get("key")).isEqualTo("value");
        SharedServers.INSTANCE.close();
    }

    private static ConfigurableApplicationContext context() {
        return (ConfigurableApplicationContext)
                new TestContextManager(Annotated.class).getTestContext().getApplicationContext();
    }

    @SpringBootTest(classes = Application.class)
    @DelayQueueServers(redis = DelayQueueServers.Redis.EMBEDDED)
    static final class Annotated {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DataRedisAutoConfiguration.class)
    static class Application {}
}
