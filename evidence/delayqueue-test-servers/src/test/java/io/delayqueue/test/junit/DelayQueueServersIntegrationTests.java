// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

@SpringBootTest(
        classes = DelayQueueServersIntegrationTests.Application.class,
        properties = {"spring.data.redis.host=redis.test", "spring.rabbitmq.host=rabbit.test"})
@DelayQueueServers(redis = DelayQueueServers.Redis.EMBEDDED, rabbit = DelayQueueServers.Rabbit.EMBEDDED)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DelayQueueServersIntegrationTests {

    @Autowired
    StringRedisTemplate redisTemplate;

    @Autowired
    RabbitTemplate rabbitTemplate;

    @Test
    @Order(1)
    void springContextUsesTheServersThatTheParametersGive(
            RedisServer redis, EmbeddedAmqpBroker broker, @Autowired AmqpAdmin admin) {
        redisTemplate.opsForValue().set("key", "value");
        assertThat(redisTemplate.opsForValue().get("key")).isEqualTo("value");
        admin.declareQueue(new Queue("extension"));
        rabbitTemplate.convertAndSend("extension", "hello");
        assertThat(rabbitTemplate.receiveAndConvert("extension", 5000)).isEqualTo("hello");
        assertThat(rabbitTemplate.getConnectionFactory().getPort()).isEqualTo(broker.port());
        redis.kill();
    }

    @Test
    @Order(2)
    void serverThatATestKilledRunsAgainInTheNext(RedisServer redis) {
        assertThat(redis.isRunning()).isTrue();
        assertThat(redisTemplate.opsForValue().get("key")).isEqualTo("value");
        redis.suspend();
    }

    @Test
    @Order(3)
    void serverThatATestFrozeAnswersInTheNext() {
        assertThat(redisTemplate.opsForValue().get("key")).isEqualTo("value");
    }

    @Nested
    class NestedClass {

        @Test
        void nestedClassHasTheServersToo(RedisServer redis) {
            assertThat(redis.isRunning()).isTrue();
            assertThat(redisTemplate.opsForValue().get("key")).isEqualTo("value");
        }
    }

    @Test
    void serversAreShared(RedisServer redis) {
        assertThat(SharedServers.INSTANCE.redis(DelayQueueServers.Redis.EMBEDDED))
                .isSameAs(redis);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataRedisAutoConfiguration.class, RabbitAutoConfiguration.class})
    static class Application {}
}
