// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with lazy initialization. No bean refers to those that take tasks. */
class LazyInitializationIntegrationTests {

    @Test
    void listenersTriggersAndDeclarationsWhenNobodyAsksForThemWorkFromTheStart() {
        try (RedisServer redis = RedisServer.embedded().start();
                EmbeddedAmqpBroker broker = new EmbeddedAmqpBroker()) {
            broker.start();
            try (ConfigurableApplicationContext sender = start(
                    redis, "--delayqueue.defaults.trigger.auto-startup=false", "--delayqueue.rabbit.enabled=false")) {
                DelayQueueOperations template = sender.getBean(DelayQueueOperations.class);
                for (String queue : List.of("heard", "scanned", "published")) {
                    template.schedule(requestTo(queue, queue, Duration.ZERO));
                }
            }
            try (ConfigurableApplicationContext application = start(
                    redis,
                    "--spring.rabbitmq.addresses=" + broker.uri(),
                    "--delayqueue.queues.published.rabbit.exchange=lazy",
                    "--delayqueue.queues.published.rabbit.declare.exchange-type=direct",
                    "--delayqueue.queues.published.rabbit.declare.queue=lazy")) {
                Seen seen = application.getBean(Seen.class);
                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(Set.copyOf(seen.tasks)).isEqualTo(Set.of("heard", "scanned")));
                RabbitTemplate rabbit = application.getBean(RabbitTemplate.class);
                assertThat(rabbit.receiveAndConvert("lazy", 20_000)).isEqualTo("published");
            }
        }
    }

    @Test
    void checksWhenNobodyAsksForThemAreMadeAtTheStart() {
        try (RedisServer redis =
                RedisServer.embedded().config("maxmemory-policy allkeys-lru").start()) {
            assertThatThrownBy(() -> start(redis)).hasMessageContaining("maxmemory-policy is 'allkeys-lru'");
        }
    }

    private static ConfigurableApplicationContext start(RedisServer redis, String... arguments) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.lazy-initialization=true",
                        "spring.main.banner-mode=off",
                        "spring.data.redis.url=" + redis.uri(),
                        "delayqueue.queues.heard=",
                        "delayqueue.queues.scanned=",
                        "delayqueue.queues.published=")
                .run(arguments);
    }

    static class Seen {

        final List<String> tasks = new CopyOnWriteArrayList<>();
    }

    static class Listener {

        private final Seen seen;

        Listener(Seen seen) {
            this.seen = seen;
        }

        @DelayQueueListener(queue = "heard")
        void onTimeout(String text) {
            seen.tasks.add(text);
        }
    }

    static class Trigger extends ScanTrigger {

        private final Seen seen;

        Trigger(Seen seen) {
            super("scanned");
            this.seen = seen;
        }

        @Override
        protected TaskDestination createDestination() {
            return deliveries -> deliveries.forEach(delivery -> {
                seen.tasks.add(delivery.queue());
                delivery.settle(Outcome.delivered());
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Seen seen() {
            return new Seen();
        }

        @Bean
        Listener listener(Seen seen) {
            return new Listener(seen);
        }

        @Bean
        Trigger trigger(Seen seen) {
            return new Trigger(seen);
        }
    }
}
