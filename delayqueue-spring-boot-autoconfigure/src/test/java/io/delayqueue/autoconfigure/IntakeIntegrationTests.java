// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.delayqueue.internal.autoconfigure.metrics.RabbitMeters;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueFailureAnalyzer;
import io.delayqueue.internal.test.AmqpServerConnectionDetails;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.CustomExchange;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.ExchangeBuilder;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications with an intake, by properties and in place of delayed exchanges. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class IntakeIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final String name = "in-" + UUID.randomUUID().toString().substring(0, 8);
    private final ApplicationContextRunner runner;

    IntakeIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class,
                        DataRedisAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        RabbitAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class,
                        DelayQueueRabbitAutoConfiguration.class,
                        DelayQueueHealthAutoConfiguration.class))
                .withBean(RabbitConnectionDetails.class, () -> new AmqpServerConnectionDetails(rabbit.uri()))
                .withPropertyValues(
                        "spring.data.redis.url=" + redis.uri(), "delayqueue.key-prefix=" + name, "test.name=" + name);
    }

    @Test
    void intakeByPropertiesDeclaresItsTopologyStoresAndPublishes() {
        runner.withPropertyValues("delayqueue.rabbit.intake." + name + ".exchange-type=direct")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    await().atMost(PATIENCE)
                            .until(() -> health(context).getStatus().equals(Status.UP));
                    assertThat(health(context).getDetails()).containsEntry("intakes", Map.of(name, "accepts messages"));
                    RabbitTemplate template = context.getBean(RabbitTemplate.class);
                    template.execute(channel -> {
                        channel.queueDeclare(name + ".out", true, false, false, Map.of());
                        return channel.queueBind(name + ".out", name + ".due", "key");
                    });
                    long start = System.nanoTime();
                    template.convertAndSend(name, "key", "hello", delayedBy(800));
                    assertThat(template.receive(name + ".out", PATIENCE.toMillis()))
                            .isNotNull()
                            .satisfies(message ->
                                    assertThat(message.getBody()).isEqualTo("hello".getBytes(StandardCharsets.UTF_8)));
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(800));
                });
    }

    @Test
    void intakeWhenItsQueueIsMissingMakesTheHealthDownAndNamesTheQueue() {
        runner.withPropertyValues("delayqueue.rabbit.intake." + name + ".queue=missing-" + name)
                .run(context -> await().atMost(PATIENCE).untilAsserted(() -> {
                    Health health = health(context);
                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.getDetails().get("problems").toString())
                            .contains("The intake " + name + " accepts no messages", "missing-" + name);
                }));
    }

    @Test
    void messagesThatIntakesTakeAreMeasured() {
        runner.withUserConfiguration(PluginApplication.class)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues(
                        "delayqueue.rabbit.replace-delayed-exchanges=true",
                        "delayqueue.rabbit.intake.missing.queue=missing-" + name)
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    RabbitTemplate template = context.getBean(RabbitTemplate.class);
                    String built = name + "-built"; // added after the meters
                    for (int i = 0; i < 3; i++) {
                        template.convertAndSend(built, "key", "later", delayedBy(3_600_000));
                    }
                    template.convertAndSend(built, "key", "soon", message -> {
                        message.getMessageProperties().setHeader("x-delay", "soon");
                        return message;
                    });
                    await().atMost(PATIENCE).untilAsserted(() -> {
                        assertThat(messages(meters, built, "accepted")).isEqualTo(3);
                        assertThat(messages(meters, built, "rejected")).isOne();
                        assertThat(isBlocked(meters, built)).isZero();
                        assertThat(isBlocked(meters, "missing")).isOne();
                    });
                });
    }

    private static double messages(MeterRegistry meters, String intake, String outcome) {
        return meters.get(RabbitMeters.INTAKE_MESSAGES)
                .tags("intake", intake, "outcome", outcome)
                .functionCounter()
                .count();
    }

    private static double isBlocked(MeterRegistry meters, String intake) {
        return meters.get(RabbitMeters.INTAKE_BLOCKED)
                .tag("intake", intake)
                .gauge()
                .value();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void bindingToTheExchangeBeforeTheIntakeIsWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("delayqueue.rabbit.intake." + name + ".exchange-type=direct")
                .withBean(
                        Binding.class,
                        () -> new Binding("wrong-" + name, Binding.DestinationType.QUEUE, name, "key", Map.of()))
                .run(context -> assertThat(output)
                        .contains("Queue 'wrong-" + name + "' is bound to the exchange '" + name
                                + "' and receives messages without their delay. Bind it to '" + name
                                + ".due'"));
    }

    @Test
    void delayedExchangesWhenReplacedWorkUnchanged() {
        runner.withUserConfiguration(PluginApplication.class)
                .withPropertyValues("delayqueue.rabbit.replace-delayed-exchanges=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    RabbitTemplate template = context.getBean(RabbitTemplate.class);
                    long start = System.nanoTime();
                    for (String exchange : List.of("annotated", "built", "custom")) {
                        template.convertAndSend(name + "-" + exchange, "key", exchange, delayedBy(700));
                        template.convertAndSend(name + "-" + exchange, "other", "unrouted", delayedBy(1));
                    }
                    List<String> got = context.getBean(PluginApplication.class).got;
                    await().atMost(PATIENCE).until(() -> got.size() == 3);
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(700));
                    assertThat(got).containsExactlyInAnyOrder("annotated", "built", "custom");
                });
    }

    @Test
    void delayedExchangesWhenAnotherProcessHasTheIntakeAreDeclaredAndNotConsumed() {
        ApplicationContextRunner producer = runner.withUserConfiguration(PluginApplication.class)
                .withPropertyValues(
                        "delayqueue.rabbit.replace-delayed-exchanges=true",
                        "delayqueue.rabbit.intake." + name + "-built.enabled=false");
        producer.run(context -> {
            context.getBean(RabbitTemplate.class)
                    .convertAndSend(name + "-built", "key", "waits for an intake", delayedBy(1));
            await().atMost(PATIENCE).until(() -> count(context, name + "-built.intake") == 1);
            assertThat(health(context).getDetails().get("intakes").toString())
                    .contains(name + "-annotated")
                    .doesNotContain(name + "-built");
        });
        runner.withUserConfiguration(PluginApplication.class)
                .withPropertyValues("delayqueue.rabbit.replace-delayed-exchanges=true")
                .run(context -> await().atMost(PATIENCE)
                        .until(() ->
                                context.getBean(PluginApplication.class).got.contains("waits for an intake")));
    }

    @Test
    void delayedExchangeWhenTheBrokerHasItWithAnotherTypeFailsTheStartAndNamesTheDeletion() {
        runner.run(context -> context.getBean(RabbitTemplate.class)
                .execute(channel -> channel.exchangeDeclare(name + "-built", "direct", true)));
        runner.withUserConfiguration(PluginApplication.class)
                .withPropertyValues("delayqueue.rabbit.replace-delayed-exchanges=true")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(new DelayQueueFailureAnalyzer(new org.springframework.core.env.StandardEnvironment())
                                    .analyze(context.getStartupFailure()))
                            .satisfies(analysis -> assertThat(analysis.getDescription())
                                    .contains(
                                            "The exchange '" + name + "-built' cannot be replaced", "inequivalent arg"))
                            .satisfies(analysis -> assertThat(analysis.getAction())
                                    .contains("rabbitmqadmin delete exchange name=" + name + "-built"));
                });
    }

    private static Health health(AssertableApplicationContext context) {
        return context.getBean("delayqueueHealthContributor", HealthIndicator.class)
                .health();
    }

    private static long count(AssertableApplicationContext context, String queue) {
        Long count = context.getBean(RabbitTemplate.class).execute((Channel channel) -> channel.messageCount(queue));
        return count == null ? -1 : count;
    }

    private static MessagePostProcessor delayedBy(long millis) {
        return message -> {
            message.getMessageProperties().setDelayLong(millis);
            return message;
        };
    }

    /** As it was written for the plugin. */
    @Configuration(proxyBeanMethods = false)
    @EnableRabbit
    static class PluginApplication {

        final List<String> got = new CopyOnWriteArrayList<>(new ArrayList<>());

        @RabbitListener(
                bindings =
                        @QueueBinding(
                                value =
                                        @org.springframework.amqp.rabbit.annotation.Queue(
                                                name = "${test.name}-q-annotated",
                                                durable = "true"),
                                exchange =
                                        @org.springframework.amqp.rabbit.annotation.Exchange(
                                                name = "${test.name}-annotated",
                                                type = "topic",
                                                delayed = "true"),
                                key = "key"))
        void annotated(String body) {
            got.add(body);
        }

        @RabbitListener(queues = {"${test.name}-q-built", "${test.name}-q-custom"})
        void others(String body) {
            got.add(body);
        }

        @Bean
        Exchange built(org.springframework.core.env.Environment environment) {
            return ExchangeBuilder.directExchange(environment.getRequiredProperty("test.name") + "-built")
                    .delayed()
                    .build();
        }

        @Bean
        Exchange custom(org.springframework.core.env.Environment environment) {
            return new CustomExchange(
                    environment.getRequiredProperty("test.name") + "-custom",
                    "x-delayed-message",
                    true,
                    false,
                    Map.of("x-delayed-type", "direct"));
        }

        @Bean
        Queue builtQueue(org.springframework.core.env.Environment environment) {
            return new Queue(environment.getRequiredProperty("test.name") + "-q-built");
        }

        @Bean
        Queue customQueue(org.springframework.core.env.Environment environment) {
            return new Queue(environment.getRequiredProperty("test.name") + "-q-custom");
        }

        @Bean
        Binding builtBinding(Queue builtQueue, Exchange built) {
            return new Binding(builtQueue.getName(), Binding.DestinationType.QUEUE, built.getName(), "key", Map.of());
        }

        @Bean
        Binding customBinding(Queue customQueue, Exchange custom) {
            return new Binding(customQueue.getName(), Binding.DestinationType.QUEUE, custom.getName(), "key", Map.of());
        }
    }
}
