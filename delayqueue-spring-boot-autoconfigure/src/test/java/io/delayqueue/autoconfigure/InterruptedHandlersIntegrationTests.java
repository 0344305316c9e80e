// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Handlers that another process stops by a cancel, on a real Redis. Two contexts stand for two processes. */
class InterruptedHandlersIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final List<String> seen = new CopyOnWriteArrayList<>();
    private static final AtomicBoolean lost = new AtomicBoolean();

    private static RedisServer redis;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.url=" + redis.uri(),
                    "delayqueue.key-prefix=t" + System.nanoTime(),
                    "delayqueue.defaults.lease=60s",
                    "delayqueue.queues.orders.shards=1",
                    "delayqueue.queues.deaf.shards=1",
                    "delayqueue.queues.stages.shards=1");

    @BeforeAll
    static void start() {
        redis = RedisServer.embedded().start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void forget() {
        seen.clear();
        lost.set(false);
    }

    static class Listener {

        final CompletableFuture<Void> mayEnd = new CompletableFuture<>();
        final CompletableFuture<Void> laterMayEnd = new CompletableFuture<>();
        final List<DelayedTask<String>> later = new CopyOnWriteArrayList<>();
        final CompletableFuture<Void> stage = new CompletableFuture<>();

        @DelayQueueListener("orders")
        void orders(DelayedTask<String> task) throws InterruptedException {
            seen.add("begun " + task.id());
            try {
                if (!task.payload().equals("quick")) {
                    Thread.sleep(60_000);
                }
            } catch (InterruptedException ex) {
                lost.set(task.lease().isLost());
                seen.add("stopped " + task.id());
                throw ex;
            }
        }

        @DelayQueueListener("deaf")
        void deaf(DelayedTask<String> task) {
            seen.add("begun " + task.id());
            if (task.payload().equals("later")) {
                later.add(task);
                laterMayEnd.join();
            } else {
                mayEnd.join();
            }
        }

        @DelayQueueListener("stages")
        CompletableFuture<Void> stages(DelayedTask<String> task) {
            seen.add("begun " + task.id());
            return stage;
        }
    }

    private void inTwoProcesses(ByBoth test) {
        runner.withUserConfiguration(Listener.class)
                .run(handling -> runner.run(calling -> test.run(handling, calling)));
    }

    private static TypedQueue<String> queue(AssertableApplicationContext context, String name) {
        return context.getBean(DelayQueueOperations.class).queue(name, String.class);
    }

    @Test
    void cancelAndInterruptWhenAHandlerRunsElsewhereStopsItAndSaysThatItHasEnded() {
        inTwoProcesses((handling, calling) -> {
            TypedQueue<String> orders = queue(calling, "orders");
            orders.schedule("a", "long", Due.now());
            await().atMost(PATIENCE).until(() -> seen.contains("begun a"));

            assertThat(orders.cancelAndInterrupt("a", PATIENCE)).isEqualTo(CancelOutcome.INTERRUPTED);

            assertThat(seen).containsExactly("begun a", "stopped a");
            assertThat(lost).isTrue();
            assertThat(orders.find("a")).isEmpty();
            orders.schedule("b", "quick", Due.now());
            await().atMost(PATIENCE)
                    .until(() -> seen.contains("begun b") && orders.find("b").isEmpty());
        });
    }

    @Test
    void cancelAndInterruptWhenTheHandlerRunsInTheSameProcessStopsItToo() {
        inTwoProcesses((handling, calling) -> {
            TypedQueue<String> orders = queue(handling, "orders");
            orders.schedule("a", "long", Due.now());
            await().atMost(PATIENCE).until(() -> seen.contains("begun a"));

            assertThat(orders.cancelAndInterrupt("a", PATIENCE)).isEqualTo(CancelOutcome.INTERRUPTED);
            assertThat(seen).containsExactly("begun a", "stopped a");
        });
    }

    @Test
    void cancelAndInterruptWhenTheHandlerIgnoresItIsInFlightAfterThePatience() {
        inTwoProcesses((handling, calling) -> {
            TypedQueue<String> deaf = queue(calling, "deaf");
            deaf.schedule("a", "x", Due.now());
            await().atMost(PATIENCE).until(() -> seen.contains("begun a"));

            assertThat(deaf.cancelAndInterrupt("a", Duration.ofMillis(500))).isEqualTo(CancelOutcome.IN_FLIGHT);

            handling.getBean(Listener.class).mayEnd.complete(null);
            assertThat(deaf.find("a")).isEmpty();
        });
    }

    @Test
    void cancelAndInterruptWhenNobodyWaitsStopsTheHandlerToo() {
        inTwoProcesses((handling, calling) -> {
            TypedQueue<String> orders = queue(calling, "orders");
            orders.schedule("a", "long", Due.now());
            await().atMost(PATIENCE).until(() -> seen.contains("begun a"));

            assertThat(orders.cancelAndInterrupt("a", Duration.ZERO)).isEqualTo(CancelOutcome.IN_FLIGHT);

            await().atMost(PATIENCE).until(() -> seen.contains("stopped a"));
        });
    }

    @Test
    void cancelAndInterruptWhenAnEarlierDeliveryOfTheIdEndsStillWaitsForItsOwn() {
        inTwoProcesses((handling, calling) -> {
            Listener handlers = handling.getBean(Listener.class);
            TypedQueue<String> deaf = queue(calling, "deaf");
            deaf.schedule("a", "earlier", Due.now());
            await().atMost(PATIENCE).until(() -> seen.contains("begun a"));
            assertThat(deaf.cancelAndInterrupt("a", Duration.ofMillis(500))).isEqualTo(CancelOutcome.IN_FLIGHT);
            deaf.schedule("a", "later", Due.now());
            await().atMost(PATIENCE).until(() -> !handlers.later.isEmpty());

            CompletableFuture<CancelOutcome> answer =
                    CompletableFuture.supplyAsync(() -> deaf.cancelAndInterrupt("a", Duration.ofSeconds(2)));
            await().atMost(PATIENCE).until(() -> handlers.later.get(0).lease().isLost());
            handlers.mayEnd.complete(null);

            assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(CancelOutcome.IN_FLIGHT);
            handlers.laterMayEnd.complete(null);
        });
    }

    @Test
    void cancelAndInterruptWhenAStageGoesOnNeverSaysThatItHasEnded() {
        inTwoProcesses((handling, calling) -> {
            TypedQueue<String> stages = queue(calling, "stages");
            stages.schedule("a", "x", Due.now());
            await().atMost(PATIENCE).until(() -> seen.contains("begun a"));

            assertThat(stages.cancelAndInterrupt("a", Duration.ofMillis(500))).isEqualTo(CancelOutcome.IN_FLIGHT);
            handling.getBean(Listener.class).stage.complete(null);
        });
    }

    @Test
    void cancelAndInterruptWhenNothingRunsIsACancel() {
        inTwoProcesses((handling, calling) -> {
            TypedQueue<String> orders = queue(calling, "orders");
            orders.schedule("a", "x", Due.after(Duration.ofHours(1)));

            assertThat(orders.cancelAndInterrupt("a", PATIENCE)).isEqualTo(CancelOutcome.CANCELLED);
            assertThat(orders.cancelAndInterrupt("a", PATIENCE)).isEqualTo(CancelOutcome.NOT_FOUND);
            assertThat(seen).isEmpty();
        });
    }

    private interface ByBoth {

        void run(AssertableApplicationContext handling, AssertableApplicationContext calling) throws Exception;
    }
}
