// SPDX-License-Identifier: Apache-2.0
package com.example.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.AutoConfigureDelayQueueTest;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.rabbitmq.RabbitMQContainer;

/** The containers of docs/testing.md. Compiled always, and run where Docker is. */
@Tag("docker")
class ContainersIntegrationTests {

    private static final Duration QUARTER = Duration.ofMinutes(15);

    @Nested
    @GuidePages("../rabbitmq.md")
    @SpringBootTest
    @AutoConfigureDelayQueueTest
    @Testcontainers
    class ContainerTests {

        @Container
        @ServiceConnection(name = "redis")
        static final GenericContainer<?> valkey = new GenericContainer<>("valkey/valkey:8").withExposedPorts(6379);

        @Container
        @ServiceConnection
        static final RabbitMQContainer rabbit = new RabbitMQContainer("rabbitmq:4.1");

        @Test
        void timeoutIsPublishedAtItsTime(
                @Autowired Orders orders, @Autowired RabbitTemplate broker, @Autowired DelayQueueTestKit kit) {
            orders.place("order-42");
            assertThat(broker.receive("orders.timeout")).isNull();
            kit.advance(QUARTER);
            Message message = broker.receive("orders.timeout", 5_000);
            assertThat(message).isNotNull();
            assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).contains("order-42");
        }
    }

    @Nested
    @GuidePages("tutorial.md")
    @DelayQueueTest({Orders.class, OrderTimeouts.class})
    @Testcontainers
    class OnRedis {

        @Container
        @ServiceConnection
        static final GenericContainer<?> redis = new GenericContainer<>("redis:8").withExposedPorts(6379);

        @Test
        void timeoutIsHandledAtItsTime(@Autowired Orders orders, @Autowired DelayQueueTestKit kit) {
            orders.place("order-42");
            kit.advance(QUARTER);
            assertThat(orders.find("order-42").isClosed()).isTrue();
        }
    }
}
