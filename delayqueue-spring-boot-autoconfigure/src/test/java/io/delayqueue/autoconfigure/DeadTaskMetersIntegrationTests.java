// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.LogLines;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records that something else wrote into a shard on a real Redis, and what an application measures of them. */
class DeadTaskMetersIntegrationTests {

    private static final String SHARD = "dq:{orders:0}:";
    private static final String HEAD = "\u0001C0123456789abcdef";
    private static final long PAST = 1_600_000_000_000L;
    private static final Configurations METRICS =
            AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class);

    private final LogLines log = new LogLines();
    private final RedisServer redis = RedisServer.embedded().start();
    private final RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
    private final RedisCommands<String, String> operator = client.connect().sync();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class))
            .withUserConfiguration(Application.class)
            .withPropertyValues(
                    "spring.data.redis.url=" + redis.uri(),
                    "delayqueue.queues.orders.trigger.auto-startup=false",
                    "delayqueue.queues.orders.trigger.max-idle-interval=100ms",
                    "delayqueue.queues.orders.max-lease-expiries=3",
                    "delayqueue.queues.invoices=");

    @AfterEach
    void close() {
        log.close();
        client.shutdown();
        redis.close();
    }

    @Test
    void quarantinedWhenThereIsARegistryCountsWhatCannotBeATaskAndNothingElse() {
        runner.withConfiguration(METRICS).withUserConfiguration(Meters.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(count(context, "orders")).isZero();
            assertThat(count(context, "invoices")).isZero();

            schedule(context, "before", PAST - 1);
            put("unreadable", "\u0000?");
            put("no\tid", HEAD + "\u0001\u0000{}");
            put("undecodable", HEAD + "\u0009\u0000");
            operator.zadd(SHARD + "index", PAST, "without-payload");
            put("worn", HEAD + "\u0001\u0000{}");
            operator.hset(SHARD + "attempts", "worn", "1:" + PAST + ":0:9:1:lease expired");
            put("newer", "\u0002?");
            schedule(context, "behind", PAST + 1);
            context.getBean(Collecting.class).scanOnce(100);

            assertThat(context.getBean(Collecting.class).delivered).containsExactly("before", "behind");
            assertThat(count(context, "orders")).isEqualTo(4);
            assertThat(count(context, "invoices")).isZero();
            await().untilAsserted(() -> assertThat(context.getBean(DelayQueueAdmin.class)
                            .stats("orders")
                            .dead())
                    .as("also what is worn")
                    .isEqualTo(5));
            assertThat(operator.zrange(SHARD + "index", 0, -1)).containsExactly("newer");

            context.getBean(Collecting.class).scanOnce(100);
            assertThat(count(context, "orders")).as("none twice").isEqualTo(4);
        });
    }

    @Test
    void heldBackWhenAKeyIsOverItsRateCountsEachTaskOnce() {
        runner.withConfiguration(METRICS)
                .withUserConfiguration(Meters.class)
                .withPropertyValues("delayqueue.queues.orders.limits.per-key.rate=1/d")
                .run(context -> {
                    for (int i = 0; i < 5; i++) {
                        context.getBean(DelayQueueOperations.class)
                                .schedule(ScheduleRequest.to("orders")
                                        .key("clinic-17")
                                        .payload("x")
                                        .dueIn(Duration.ZERO)
                                        .build());
                    }
                    for (int scans = 0; scans < 3; scans++) {
                        context.getBean(Collecting.class).scanOnce(100);
                        assertThat(context.getBean(Collecting.class).delivered).hasSize(1);
                        assertThat(count(context, "delayqueue.tasks.held.back", "orders"))
                                .isEqualTo(4);
                    }
                    assertThat(count(context, "delayqueue.tasks.held.back", "invoices"))
                            .isZero();
                });
    }

    private void put(String id, String envelope) {
        operator.hset(SHARD + "tasks", id, envelope);
        operator.zadd(SHARD + "index", PAST, id);
    }

    private static double count(ApplicationContext context, String queue) {
        return count(context, "delayqueue.tasks.quarantined", queue);
    }

    private static double count(ApplicationContext context, String meter, String queue) {
        return context.getBean(MeterRegistry.class)
                .get(meter)
                .tag("queue", queue)
                .functionCounter()
                .count();
    }

    private static void schedule(ApplicationContext context, String id, long due) {
        context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", id, "x", Instant.ofEpochMilli(due)));
    }

    static class Collecting extends ScanTrigger {

        final List<String> delivered = new CopyOnWriteArrayList<>();

        Collecting() {
            super("orders");
        }

        @Override
        protected TaskDestination createDestination() {
            return deliveries -> {
                for (OpenDelivery delivery : deliveries) {
                    delivered.add(delivery.id());
                    delivery.settle(Outcome.delivered());
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Collecting collecting() {
            return new Collecting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Meters {

        @Bean
        SimpleMeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }
}
