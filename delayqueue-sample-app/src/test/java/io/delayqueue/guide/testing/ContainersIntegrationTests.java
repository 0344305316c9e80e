// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.AutoConfigureDelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.rabbitmq.RabbitMQContainer;

/** The containers of docs/testing.md. Compiled always, and run where Docker is. */
@Tag("docker")
class ContainersIntegrationTests {

    @Nested
    @Testcontainers
    @SpringBootTest(
            classes = ContainersIntegrationTests.Shop.class,
            properties = {
                "delayqueue.queues.orders.rabbit.exchange=shop",
                "delayqueue.queues.orders.rabbit.routing-key=order.timeout"
            })
    @AutoConfigureDelayQueueTest(queues = "reminders")
    class OnRedis {

        @Container
        @ServiceConnection
        static final GenericContainer<?> redis = new GenericContainer<>("redis:8").withExposedPorts(6379);

        @Container
        @ServiceConnection
        static final RabbitMQContainer rabbit = new RabbitMQContainer("rabbitmq:4.1");

        @Test
        void taskIsHandledAtItsTime(@Autowired Shop shop, @Autowired DelayQueueTestKit kit) {
            shop.isHandledAtItsTime(kit);
        }

        @Test
        void taskIsPublishedAtItsTime(@Autowired Shop shop, @Autowired DelayQueueTestKit kit) {
            shop.isPublishedAtItsTime(kit);
        }
    }

    @Nested
    @Testcontainers
    @SpringBootTest(
            classes = ContainersIntegrationTests.Shop.class,
            properties = {
                "delayqueue.queues.orders.rabbit.exchange=shop",
                "delayqueue.queues.orders.rabbit.routing-key=order.timeout"
            })
    @AutoConfigureDelayQueueTest(queues = "reminders")
    class OnValkey {

        @Container
        @ServiceConnection(name = "redis")
        static final GenericContainer<?> valkey = new GenericContainer<>("valkey/valkey:8").withExposedPorts(6379);

        @Container
        @ServiceConnection
        static final RabbitMQContainer rabbit = new RabbitMQContainer("rabbitmq:4.1");

        @Test
        void taskIsHandledAtItsTime(@Autowired Shop shop, @Autowired DelayQueueTestKit kit) {
            shop.isHandledAtItsTime(kit);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        private final List<String> handled = new CopyOnWriteArrayList<>();

        @Autowired
        private DelayQueueOperations delayQueue;

        @Autowired
        private RabbitTemplate rabbit;

        @Bean
        Declarables timeouts() {
            DirectExchange shop = new DirectExchange("shop");
            Queue timeouts = new Queue("order-timeouts");
            return new Declarables(
                    shop, timeouts, BindingBuilder.bind(timeouts).to(shop).with("order.timeout"));
        }

        @DelayQueueListener(queue = "reminders")
        void remind(String payload) {
            handled.add(payload);
        }

        void isHandledAtItsTime(DelayQueueTestKit kit) {
            schedule("reminders");
            kit.advance(Duration.ofMinutes(15));
            assertThat(handled).containsExactly("unpaid");
        }

        void isPublishedAtItsTime(DelayQueueTestKit kit) {
            schedule("orders");
            kit.advance(Duration.ofMinutes(15));
            Message message = rabbit.receive("order-timeouts");
            assertThat(message).isNotNull();
            assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).contains("unpaid");
        }

        private void schedule(String queue) {
            delayQueue.schedule(ScheduleRequest.to(queue)
                    .id("order-42")
                    .payload("unpaid")
                    .delay(Duration.ofMinutes(15))
                    .build());
        }
    }
}
