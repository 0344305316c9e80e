// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** No wake message arrives, for the application's Redis user may no longer publish or subscribe. */
@Tag("long")
class LostWakeIntegrationTests {

    /** {@code -Ddelayqueue.wake.seconds=60} for the long run: how long every wake message is lost. */
    private static final int SECONDS = Integer.getInteger("delayqueue.wake.seconds", 10);

    private static final Duration MAX_IDLE_INTERVAL = Duration.ofSeconds(2);

    private final RedisServer redis = RedisServer.embedded().start();
    private final RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
    private final StatefulRedisConnection<String, String> operator = client.connect();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        final ConcurrentMap<String, Long> latenessMillis = new ConcurrentHashMap<>();
        final ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();

        @DelayQueueListener(queue = "orders")
        void handle(DelayedTask<String> task) {
            latenessMillis.put(
                    task.id(), System.currentTimeMillis() - task.dueAt().toEpochMilli());
            ids.add(task.id());
        }
    }

    @BeforeEach
    void allow() {
        operator.sync()
                .aclSetuser(
                        "shop",
                        AclSetuserArgs.Builder.on()
                                .addPassword("secret")
                                .allKeys()
                                .allCommands()
                                .allChannels());
    }

    @AfterEach
    void close() {
        timer.shutdownNow();
        operator.close();
        client.shutdown();
        redis.close();
    }

    @Test
    void tasksWhenEveryWakeMessageIsLostComeWithinTheMaxIdleIntervalAndOnTimeAfterwards() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class))
                .withUserConfiguration(Listening.class)
                .withPropertyValues(
                        "spring.data.redis.port=" + redis.port(),
                        "spring.data.redis.username=shop",
                        "spring.data.redis.password=secret",
                        "delayqueue.redis.heartbeat=1s",
                        "delayqueue.queues.orders.shards=4",
                        "delayqueue.queues.orders.trigger.max-idle-interval=" + MAX_IDLE_INTERVAL.toMillis() + "ms")
                .run(context -> {
                    DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
                    Listening listener = context.getBean(Listening.class);

                    awaitPunctual(operations, listener);

                    operator.sync().aclSetuser("shop", AclSetuserArgs.Builder.resetChannels());
                    List<Long> blind = run(operations, listener, Duration.ofSeconds(SECONDS));
                    report("without wake messages", blind);
                    assertThat(Collections.max(blind))
                            .isBetween(
                                    MAX_IDLE_INTERVAL.toMillis() / 4,
                                    MAX_IDLE_INTERVAL.plusSeconds(1).toMillis());

                    allow();
                    long allowed = System.nanoTime();
                    awaitPunctual(operations, listener);
                    System.out.printf(
                            "punctual for 800 ms within %d ms of being allowed to publish and subscribe again%n",
                            Duration.ofNanos(System.nanoTime() - allowed).toMillis());
                    List<Long> again = run(operations, listener, Duration.ofSeconds(2));
                    report("with wake messages again", again);
                    assertThat(again.get(again.size() / 2)).isLessThan(50);
                    assertThat(Collections.max(again)).isLessThan(MAX_IDLE_INTERVAL.toMillis() / 2);

                    assertThat(Collections.min(listener.latenessMillis.values()))
                            .as("none early")
                            .isNotNegative();
                    assertThat(listener.ids).doesNotHaveDuplicates();
                });
    }

    /** Waits until eight successive tasks are on time, which does not happen by chance. */
    private void awaitPunctual(DelayQueueOperations operations, Listening listener) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            List<Long> lateness = run(operations, listener, Duration.ofMillis(800));
            return Collections.max(lateness) < MAX_IDLE_INTERVAL.toMillis() / 4;
        });
    }

    /** Ten tasks a second, soon due; waits for them all and answers how many milliseconds each was late, in order. */
    private List<Long> run(DelayQueueOperations operations, Listening listener, Duration time) throws Exception {
        List<String> ids = Collections.synchronizedList(new ArrayList<>());
        var scheduling = timer.scheduleAtFixedRate(
                () -> ids.add(operations
                        .schedule(requestTo(
                                "orders",
                                "x",
                                Duration.ofMillis(ThreadLocalRandom.current().nextLong(10, 100))))
                        .id()),
                0,
                100,
                TimeUnit.MILLISECONDS);
        timer.schedule(() -> scheduling.cancel(false), time.toMillis(), TimeUnit.MILLISECONDS)
                .get();
        timer.submit(() -> {}).get();
        await("none is lost")
                .atMost(MAX_IDLE_INTERVAL.plusSeconds(8))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> listener.latenessMillis.keySet().containsAll(ids));
        assertThat(ids).hasSizeGreaterThan((int) (time.toMillis() / 200));
        return ids.stream().map(listener.latenessMillis::get).sorted().toList();
    }

    private static void report(String what, List<Long> lateness) {
        System.out.printf(
                "%s: %d tasks, late by p50 %d ms, p99 %d ms, max %d ms%n",
                what,
                lateness.size(),
                lateness.get(lateness.size() / 2),
                lateness.get(lateness.size() * 99 / 100),
                Collections.max(lateness));
    }
}
