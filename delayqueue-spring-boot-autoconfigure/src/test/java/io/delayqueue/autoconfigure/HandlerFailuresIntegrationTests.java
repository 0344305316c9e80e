// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.delivery.TaskDied;
import io.delayqueue.delivery.TaskQuarantined;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.NonRetryableTaskException;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** The events and logs about failing handlers and dead tasks, on a real Redis. */
class HandlerFailuresIntegrationTests extends ListenerScene {

    HandlerFailuresIntegrationTests() {
        super("delayqueue.defaults.trigger.max-idle-interval=100ms");
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        final List<String> heard = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void onTimeout(String text) {
            throw new IllegalStateException(text);
        }

        @EventListener
        void died(TaskDied event) {
            heard.add("died " + event.id() + " " + event.reason());
        }

        @EventListener
        void quarantined(TaskQuarantined event) {
            heard.add("quarantined " + event.id() + " " + event.reason());
        }

        @EventListener
        void any(TaskDeath event) {
            heard.add(Thread.currentThread().getName());
        }
    }

    @Test
    void eventsWhenATaskDiesArePublishedOnAThreadOfTheirOwn() {
        runner.withUserConfiguration(Listening.class).run(context -> {
            String id = schedule(context, "orders", "no luck");
            List<String> heard = context.getBean(Listening.class).heard;
            await().atMost(Duration.ofSeconds(10)).until(() -> heard.size() == 2);
            assertThat(heard).contains("died " + id + " java.lang.IllegalStateException: no luck");
            assertThat(heard).anyMatch(text -> text.startsWith("delayqueue-housekeeping-"));
        });
    }

    @Test
    void eventsWhenATaskIsQuarantinedArePublished() {
        runner.withUserConfiguration(Listening.class).run(context -> {
            putUnreadable("strange");
            List<String> heard = context.getBean(Listening.class).heard;
            await().atMost(Duration.ofSeconds(10)).until(() -> heard.size() == 2);
            assertThat(heard).contains("quarantined strange envelope unreadable");
        });
    }

    private void putUnreadable(String id) {
        RedisClient client = RedisClient.create(REDIS.adminUri().toString());
        try (var connection = client.connect()) {
            String shard = prefix + ":{orders:0}:";
            connection.sync().hset(shard + "tasks", id, "\u0000?");
            connection.sync().zadd(shard + "index", 1, id);
        } finally {
            client.shutdown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Translating extends Listening {

        @Bean
        DeliveryErrorHandler hopeless() {
            return (delivery, error) -> {
                throw new NonRetryableTaskException("hopeless");
            };
        }
    }

    @Test
    void errorHandlerWhenThereIsOneBeanIsCalledForAllHandlers() {
        runner.withUserConfiguration(Translating.class).run(context -> {
            schedule(context, "orders", "no luck");
            List<String> heard = context.getBean(Listening.class).heard;
            await().atMost(Duration.ofSeconds(10)).until(() -> heard.size() == 2);
            assertThat(heard).anySatisfy(line -> assertThat(line).endsWith("hopeless"));
        });
    }
}
