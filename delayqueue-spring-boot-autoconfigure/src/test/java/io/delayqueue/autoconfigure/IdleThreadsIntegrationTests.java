// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The threads of an application whose queues have nothing to do. */
class IdleThreadsIntegrationTests {

    private static final int MOST = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RedisServer redis = RedisServer.embedded().start();
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void threadsOfFourIdleQueuesAreAtMostSix() {
        Handlers.handled.clear();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.url=" + redis.uri())
                .withPropertyValues(
                        "delayqueue.queues.orders.dead.retention=1h",
                        "delayqueue.queues.mails=",
                        "delayqueue.queues.bills=",
                        "delayqueue.queues.visits=")
                .withBean(Handlers.class)
                .withBean(Visits.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    DelayQueueOperations queues = context.getBean(DelayQueueOperations.class);
                    for (String queue : List.of("orders", "mails", "bills", "visits")) {
                        for (int i = 0; i < 20; i++) {
                            queues.schedule(requestTo(queue, queue + i, Duration.ofMillis(i)));
                        }
                    }
                    await().atMost(PATIENCE).until(() -> Handlers.handled.size() == 80);

                    await().atMost(PATIENCE)
                            .during(Duration.ofSeconds(8))
                            .untilAsserted(() -> assertThat(own()).hasSizeLessThanOrEqualTo(MOST));
                });
    }

    private List<String> own() {
        List<String> own = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("delayqueue-") && !before.contains(thread)) {
                own.add(thread.getName());
            }
        }
        return own;
    }

    static class Handlers {

        static final Set<String> handled = ConcurrentHashMap.newKeySet();

        @DelayQueueListener(queue = "orders")
        void order(String payload) {
            handled.add(payload);
        }

        @DelayQueueListener(queue = "mails")
        void mail(String payload) {
            handled.add(payload);
        }

        @DelayQueueListener(queue = "bills")
        void bill(String payload) {
            handled.add(payload);
        }
    }

    static class Visits extends ScanTrigger {

        Visits() {
            super("visits");
        }

        @Override
        protected TaskDestination createDestination() {
            return deliveries -> {
                for (OpenDelivery delivery : deliveries) {
                    Handlers.handled.add(delivery.id());
                    delivery.settle(Outcome.delivered());
                }
            };
        }
    }
}
