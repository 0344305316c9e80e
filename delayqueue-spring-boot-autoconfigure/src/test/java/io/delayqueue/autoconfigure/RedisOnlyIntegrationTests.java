// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications without RabbitMQ, on a real Redis. */
class RedisOnlyIntegrationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
            .withPropertyValues("delayqueue.queues.orders.trigger.shutdown-timeout=3s");

    @Test
    void aTriggerOfTheApplicationsDelivers() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            at(redis).withUserConfiguration(Application.class).run(context -> {
                assertThat(context).hasNotFailed();
                String id = context.getBean(DelayQueueOperations.class)
                        .schedule(requestTo("orders", new Order(1), Duration.ofMillis(200)))
                        .id();
                assertDelivered(context.getBean(CollectingTrigger.class), id);
            });
        }
    }

    @Test
    void aDeliveryThatEndsWhileTheContextClosesIsStillSettled() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            at(redis).withUserConfiguration(Application.class).run(context -> {
                CollectingTrigger trigger = context.getBean(CollectingTrigger.class);
                trigger.hold = new CountDownLatch(1);
                String id = context.getBean(DelayQueueOperations.class)
                        .schedule(requestTo("orders", new Order(1), Duration.ZERO))
                        .id();
                assertDelivered(trigger, id);
                new Thread(() -> {
                            await().until(() -> !trigger.isRunning());
                            trigger.hold.countDown();
                        })
                        .start();
                context.close();
            });
            at(redis)
                    .withPropertyValues("delayqueue.queues.orders.trigger.auto-startup=false")
                    .run(context -> {
                        var stats = context.getBean(DelayQueueAdmin.class).stats("orders");
                        assertThat(stats.nextAttention()).as("live tasks").isEmpty();
                        assertThat(stats.dead()).isZero();
                    });
        }
    }

    @Test
    void aProducerSchedulesForAnotherProcess() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            at(redis).run(producer -> {
                assertThat(producer).hasNotFailed().doesNotHaveBean(ScanTrigger.class);
                String id = producer.getBean(DelayQueueOperations.class)
                        .schedule(requestTo("orders", new Order(1), Duration.ofMillis(100)))
                        .id();
                at(redis)
                        .withUserConfiguration(Application.class)
                        .run(consumer -> assertDelivered(consumer.getBean(CollectingTrigger.class), id));
            });
        }
    }

    private ApplicationContextRunner at(RedisServer redis) {
        return runner.withPropertyValues("spring.data.redis.url=" + redis.uri());
    }

    private static void assertDelivered(CollectingTrigger trigger, String id) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(trigger.delivered).containsExactly(id));
    }

    record Order(long number) {}

    static class CollectingTrigger extends ScanTrigger {

        final List<String> delivered = new CopyOnWriteArrayList<>();
        volatile CountDownLatch hold = new CountDownLatch(0);

        CollectingTrigger() {
            super("orders");
        }

        @Override
        protected TaskDestination createDestination() {
            return deliveries -> {
                for (OpenDelivery delivery : deliveries) {
                    delivered.add(delivery.id());
                    try {
                        hold.await();
                    } catch (InterruptedException ex) {
                        Thread.currentThread().interrupt();
                    }
                    delivery.settle(Outcome.delivered());
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        CollectingTrigger collectingTrigger() {
            return new CollectingTrigger();
        }
    }
}
