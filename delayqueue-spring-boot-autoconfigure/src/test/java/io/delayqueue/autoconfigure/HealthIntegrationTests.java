// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.internal.autoconfigure.health.DelayQueueHealthIndicator;
import io.delayqueue.internal.handler.RegisteredHandlers;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.health.RabbitHealthContributorAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of applications on a real Redis. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class HealthIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Where nothing listens. */
    private static final String NOBODY = "redis://127.0.0.1:1";

    private final RedisServer redis = RedisServer.embedded().start();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    RabbitHealthContributorAutoConfiguration.class,
                    HealthContributorAutoConfiguration.class,
                    HealthContributorRegistryAutoConfiguration.class,
                    HealthEndpointAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class,
                    DelayQueueHealthAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.url=" + redis.uri(),
                    "delayqueue.metrics.interval=1s",
                    "delayqueue.queues.orders=");

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void healthWhenThereIsNoBrokerIsUpWithoutSettingsAndTellsOfEachQueue() {
        runner.withBean(Handlers.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(contributors(context)).contains("delayqueue").doesNotContain("rabbit");
            context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "x", Duration.ofHours(1)));
            await().atMost(PATIENCE).untilAsserted(() -> {
                Health health = health(context);
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails()).containsEntry("redis", "runs scripts");
                assertThat(queue(health, "orders"))
                        .containsEntry("trigger", "running")
                        .containsEntry("delayed", 1L)
                        .containsEntry("overdueSeconds", 0L);
            });
        });
    }

    @Test
    void healthWhenRabbitIsMissingIsUp() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
                .run(context -> await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(health(context).getStatus()).isEqualTo(Status.UP)));
    }

    @Test
    void brokerHealthWhenSomethingNamesABrokerStays() {
        for (String property : new String[] {
            "spring.rabbitmq.host=localhost",
            "delayqueue.queues.mails.rabbit.exchange=shop",
            "management.health.rabbit.enabled=true"
        }) {
            runner.withPropertyValues(property, "delayqueue.queues.mails.trigger.auto-startup=false")
                    .run(context -> assertThat(contributors(context)).contains("rabbit"));
        }
        runner.withBean("declared", Queue.class, () -> new Queue("declared"))
                .run(context -> assertThat(contributors(context)).contains("rabbit"));
        runner.withUserConfiguration(OwnBroker.class)
                .run(context -> assertThat(contributors(context)).contains("rabbit"));
    }

    private static Stream<String> contributors(ApplicationContext context) {
        return context.getBean(HealthContributorRegistry.class).stream().map(entry -> entry.name());
    }

    @Test
    void healthWhenRedisStandsStillIsDownSoonAndUpAgainAfterwards() {
        runner.run(context -> {
            await().atMost(PATIENCE).until(() -> health(context).getStatus().equals(Status.UP));
            redis.suspend();
            try {
                long before = System.nanoTime();
                Health health = health(context);
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                assertThat(health.getDetails().get("problems").toString()).contains("Redis");
            } finally {
                redis.resume();
            }
            await().atMost(PATIENCE).until(() -> health(context).getStatus().equals(Status.UP));
        });
    }

    @Test
    void healthWhenTheThreadIsInterruptedLeavesItSo() {
        runner.run(context -> {
            await().atMost(PATIENCE).until(() -> health(context).getStatus().equals(Status.UP));
            redis.suspend();
            try {
                Thread.currentThread().interrupt();
                Health health = health(context);
                assertThat(Thread.interrupted()).isTrue();
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            } finally {
                redis.resume();
            }
        });
    }

    @Test
    void healthWhenRedisHasNeverAnsweredSaysForHowLongItHasNotToldOfAQueue() {
        runner.withPropertyValues("spring.data.redis.url=" + NOBODY, "delayqueue.metrics.interval=1s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    await().atMost(PATIENCE).untilAsserted(() -> {
                        Health health = health(context);
                        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(health.getDetails().get("problems").toString())
                                .containsPattern("No figures from Redis for queue orders for [1-9][0-9]* s");
                        assertThat(queue(health, "orders"))
                                .containsKey("ageSeconds")
                                .doesNotContainKey("delayed");
                    });
                });
    }

    @Test
    void healthWhenATaskIsOverdueForLongerThanTheLimitIsDownUnlessTheQueueIsPaused() {
        runner.run(context -> {
            context.getBean(DelayQueueOperations.class)
                    .schedule(requestTo("orders", "x", Instant.now().minusSeconds(400)));
            await().atMost(PATIENCE).until(() -> health(context).getStatus().equals(Status.DOWN));
            assertThat(health(context).getDetails().get("problems").toString()).contains("queue orders");

            context.getBean(DelayQueueAdmin.class).pause("orders", "ada", "deploy", null);
            await().atMost(PATIENCE).until(() -> health(context).getStatus().equals(Status.UP));
            assertThat(health(context).getDetails().toString())
                    .contains("pausedUntil=resumed", "pausedBy=ada", "pauseReason=deploy");
        });
    }

    @Test
    void healthWhenABrokerCannotBeReachedOrBlocksIsDownUntilItTakesMessagesAgain(RabbitServer rabbit) {
        runner.withPropertyValues(
                        "spring.rabbitmq.addresses=" + rabbit.uri(),
                        "delayqueue.queues.mails.rabbit.exchange=amq.direct")
                .run(context -> {
                    awaitBroker(context, Status.UP, "connected=true");

                    rabbit.ctl("set_vm_memory_high_watermark", "0");
                    try {
                        context.getBean(DelayQueueOperations.class).schedule(requestTo("mails", "x", Duration.ZERO));
                        awaitBroker(context, Status.DOWN, "blocks its publishers");
                    } finally {
                        rabbit.ctl("set_vm_memory_high_watermark", "0.4");
                    }
                    awaitBroker(context, Status.UP, "blocked=false");

                    rabbit.ctl("stop_app");
                    try {
                        awaitBroker(context, Status.DOWN, "cannot be reached");
                    } finally {
                        rabbit.ctl("start_app");
                    }
                    awaitBroker(context, Status.UP, "connected=true");
                });
    }

    private static void awaitBroker(ApplicationContext context, Status status, String detail) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Health health = health(context);
            assertThat(health.getDetails().toString()).contains(detail);
            assertThat(health.getStatus()).isEqualTo(status);
        });
    }

    @Test
    void healthWhenATriggerWasStoppedIsOutOfService() {
        runner.withBean(Handlers.class).run(context -> {
            context.getBean(RegisteredHandlers.class).triggers().get(0).stop();

            await().atMost(PATIENCE).until(() -> health(context).getStatus().equals(Status.OUT_OF_SERVICE));
            assertThat(queue(health(context), "orders")).containsEntry("trigger", "stopped");
        });
    }

    @Test
    void healthWhenItIsSwitchedOffOrTheQueuesAreIsNotThere() {
        runner.withPropertyValues("management.health.delayqueue.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(DelayQueueHealthIndicator.class));
        runner.withPropertyValues("delayqueue.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueHealthIndicator.class));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class,
                        DelayQueueHealthAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .withPropertyValues("spring.data.redis.url=" + redis.uri(), "delayqueue.queues.orders=")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("delayqueueHealthContributor")
                        .doesNotHaveBean("delayQueueUnusedBrokerHealth"));
    }

    private static Health health(ApplicationContext context) {
        return context.getBean("delayqueueHealthContributor", HealthIndicator.class)
                .health();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> queue(Health health, String name) {
        Map<String, Object> queues = (Map<String, Object>) health.getDetails().get("queues");
        return (Map<String, Object>) queues.get(name);
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBroker {

        @Bean
        ConnectionFactory rabbitConnectionFactory() {
            return new CachingConnectionFactory("localhost");
        }
    }

    static class Handlers {

        @DelayQueueListener(queue = "orders")
        void handle(String payload) {
            assertThat(payload).isNotNull();
        }
    }
}
