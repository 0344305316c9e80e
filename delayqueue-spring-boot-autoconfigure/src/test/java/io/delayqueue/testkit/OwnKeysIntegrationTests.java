// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.TestContextManager;

/** Two contexts with the same queues on one Redis. */
@DelayQueueServers
class OwnKeysIntegrationTests {

    @Test
    void contextsWhenTheyShareARedisDoNotSeeEachOther(RedisServer redis) {
        try (ConfigurableApplicationContext one = context(One.class);
                ConfigurableApplicationContext other = context(Other.class)) {
            assertThat(one).isNotSameAs(other);
            CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> deliverMany(other));
            deliverMany(one);
            beside.join();
            schedule(one, "left", Duration.ofMinutes(5));
            assertThat(kit(one).queue("orders")).hasTaskCount(1);
            assertThat(kit(other).queue("orders")).hasNoTasks();
            Instant before = kit(one).now();
            kit(other).advance(Duration.ofHours(1));
            assertThat(kit(one).now()).isEqualTo(before);
            assertThat(kit(one).queue("orders")).hasTask("left").dueIn(Duration.ofMinutes(5));
        }
    }

    @Test
    void contextWhenClosedLeavesNothingInRedis(RedisServer redis) {
        List<String> before = keys(redis);
        try (ConfigurableApplicationContext context = context(Closing.class)) {
            schedule(context, "dead", Duration.ofSeconds(1));
            kit(context).failNext("orders", "dead", 100);
            schedule(context, "waits", Duration.ofDays(300));
            context.getBean(DelayQueueAdmin.class).reshard("orders", 5);
            for (int i = 0; i < 50; i++) {
                schedule(context, "spread-" + i, Duration.ofDays(300));
            }
            context.getBean(DelayQueueAdmin.class).pause("reminders");
            kit(context).advance(Duration.ofDays(1));
            assertThat(keys(redis)).hasSizeGreaterThan(before.size());
        }
        assertThat(keys(redis)).containsExactlyInAnyOrderElementsOf(before);
    }

    private static void deliverMany(ConfigurableApplicationContext context) {
        Journal journal = context.getBean(Journal.class);
        Instant begin = kit(context).now();
        for (int second = 1; second <= 50; second++) {
            schedule(context, "task-" + second, Duration.ofSeconds(second));
        }
        kit(context).advance(Duration.ofMinutes(1));
        assertThat(journal.entries).hasSize(50);
        assertThat(journal.entries.get(49)).isEqualTo("task-50 at " + begin.plusSeconds(50));
    }

    private static void schedule(ConfigurableApplicationContext context, String id, Duration delay) {
        context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", id, id, delay));
    }

    private static DelayQueueTestKit kit(ConfigurableApplicationContext context) {
        return context.getBean(DelayQueueTestKit.class);
    }

    private static ConfigurableApplicationContext context(Class<?> test) {
        return (ConfigurableApplicationContext)
                new TestContextManager(test).getTestContext().getApplicationContext();
    }

    private static List<String> keys(RedisServer redis) {
        RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().keys("*");
        } finally {
            client.shutdown();
        }
    }

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = "delayqueue.key-prefix=same")
    @DelayQueueServers
    static final class One {}

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = {"delayqueue.key-prefix=same", "name=other"})
    @DelayQueueServers
    static final class Other {}

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = {"delayqueue.queues.orders.history=100", "name=closing"})
    @DelayQueueServers
    static final class Closing {}
}
