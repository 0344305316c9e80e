// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.autoconfigure.metrics.RabbitMeters;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The metrics about a full RabbitMQ queue, in an application with only properties. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class RabbitMetersIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aFullQueueIsMeasuredAndItsTasksWaitUntilThereIsRoom(RedisServer redis, RabbitServer rabbit) {
        rabbit.ctl("set_policy", "full", "^full\\.orders$", "{\"max-length\":5,\"overflow\":\"reject-publish\"}");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        RabbitAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class,
                        DelayQueueRabbitAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues(
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.rabbitmq.addresses=" + rabbit.uri(),
                        "delayqueue.key-prefix=full",
                        "delayqueue.queues.orders.retry.max-retries=0",
                        "delayqueue.queues.orders.rabbit.exchange=full",
                        "delayqueue.queues.orders.rabbit.declare.exchange-type=direct",
                        "delayqueue.queues.orders.rabbit.declare.queue=full.orders")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    DelayQueueAdmin admin = context.getBean(DelayQueueAdmin.class);
                    RabbitTemplate consumer = context.getBean(RabbitTemplate.class);
                    DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
                    for (int i = 0; i < 40; i++) {
                        operations.schedule(requestTo("orders", "order " + i, Duration.ofMillis(300)));
                    }

                    await().atMost(PATIENCE)
                            .until(() ->
                                    meters.get(RabbitMeters.REFUSING).gauge().value() == 1);
                    assertThat(meters.get(RabbitMeters.CONFIRMS)
                                    .tags("connection", "delayqueue-publisher", "result", "nack")
                                    .functionCounter()
                                    .count())
                            .isPositive();
                    int[] received = new int[1];
                    await().atMost(PATIENCE).until(() -> {
                        while (consumer.receive("full.orders") != null) {
                            received[0]++;
                        }
                        return received[0] == 40;
                    });
                    await().atMost(PATIENCE).until(() -> admin.stats("orders").leased() == 0);
                    assertThat(admin.stats("orders").dead()).isZero();
                });
    }
}
