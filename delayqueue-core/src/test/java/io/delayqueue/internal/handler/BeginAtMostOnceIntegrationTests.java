// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.delayqueue.FoundTask;
import io.delayqueue.LogEvents;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue with {@code max-lease-expiries: 0}. */
class BeginAtMostOnceIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final TriggerFixture fixture = new TriggerFixture();
    private final LogEvents log = new LogEvents();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private RegisteredHandlers registry;

    @BeforeEach
    void start() {
        fixture.maxLeaseExpiries = 0;
        fixture.maxIdleInterval = Duration.ofMillis(100);
        fixture.batchSize = 1;
        fixture.threads = 1;
        fixture.shutdownTimeout = Duration.ofMillis(200);
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
    }

    @AfterEach
    void close() {
        log.close();
        registry.stop();
        fixture.close();
    }

    @Test
    void leaseWhenItExpiresMakesTheTaskDeadThoughNobodyKnowsWhetherItWasHandled() {
        String lost = schedule("x");
        fixture.redis.acquireAndForget(QUEUE, 1, Duration.ofMillis(200));
        registry.register(QUEUE, String.class, task -> begun.add(task.id()));
        FoundTask<String> dead = awaitDead(lost);
        assertThat(dead.lastReason()).hasValue("lease expired");
        String next = schedule("y");
        await().atMost(PATIENCE).until(() -> begun.contains(next));
        assertThat(begun).containsExactly(next);
    }

    @Test
    void stopWhenItBreaksAHandlerOffMakesItsTaskDeadAndLeavesTheOthers() {
        registry.register(QUEUE, String.class, task -> {
            begun.add(task.id());
            new CountDownLatch(1).await();
        });
        String first = schedule("x");
        await().atMost(PATIENCE).until(() -> begun.contains(first));
        String second = schedule("y");
        registry.stop();
        FoundTask<String> dead = awaitDead(first);
        assertThat(dead.lastReason()).hasValue("interrupted by a shutdown");
        assertThat(find(second).orElseThrow().state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(log.of(Level.ERROR))
                .anySatisfy(line -> assertThat(line.getFormattedMessage()).contains(first, "dead"));

        registry.start();
        await().atMost(PATIENCE).until(() -> begun.contains(second));
        assertThat(begun).containsExactly(first, second);
    }

    @Test
    void timeoutWhenItsHandlerMayGoOnMakesTheTaskDead() {
        AtomicBoolean over = new AtomicBoolean();
        HandlerOptions limited =
                HandlerOptions.builder().timeout(Duration.ofMillis(200)).build();
        registry.register(
                QUEUE,
                String.class,
                task -> {
                    begun.add(task.id());
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                },
                limited);
        String hanging = schedule("x");
        assertThat(awaitDead(hanging).failures()).isEqualTo(1);
        over.set(true);
        assertThat(begun).containsExactly(hanging);
    }

    @Test
    void timeoutWhenItsStageMayGoOnMakesTheTaskDeadWhateverCountsAsFailure() {
        registry.stop();
        registry = new RegisteredHandlers(
                fixture.context(),
                new DelayedTasks(fixture.codecs()),
                ObservationRegistry.NOOP,
                new FailurePolicy((delivery, error) -> false, DeliveryErrorHandler.NONE));
        registry.start();
        registry.registerAsync(
                QUEUE,
                String.class,
                task -> {
                    begun.add(task.id());
                    return new CompletableFuture<>();
                },
                HandlerOptions.builder().timeout(Duration.ofMillis(200)).build());
        String left = schedule("x");
        assertThat(awaitDead(left).lastReason()).hasValue("timed out after 200 ms");
        assertThat(begun).containsExactly(left);
    }

    @Test
    void timeoutWhenItsStageMayGoOnMakesTheTaskDeadWhateverTheErrorHandlerSettles() {
        Map<String, Outcome> settled = Map.of(
                "failed", Outcome.failed("own").retryAfter(Duration.ZERO),
                "postponed", Outcome.postponed("own").retryAfter(Duration.ZERO),
                "released", Outcome.released());
        registry.registerAsync(
                QUEUE,
                String.class,
                task -> {
                    begun.add(task.id());
                    return new CompletableFuture<>();
                },
                HandlerOptions.builder()
                        .timeout(Duration.ofMillis(200))
                        .errorHandler((delivery, error) -> delivery.settle(settled.get(delivery.id())))
                        .build());

        settled.keySet()
                .forEach(id -> fixture.template()
                        .schedule(ScheduleRequest.to(QUEUE)
                                .id(id)
                                .payload("x")
                                .dueIn(Duration.ZERO)
                                .build()));

        settled.keySet().forEach(this::awaitDead);
        assertThat(begun).containsExactlyInAnyOrderElementsOf(settled.keySet());
        assertThat(log.of(Level.ERROR))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line.getFormattedMessage())
                        .contains("may still be running, and this queue starts a handler at most once"));
    }

    private String schedule(String payload) {
        return fixture.template()
                .schedule(requestTo(QUEUE, payload, Duration.ZERO))
                .id();
    }

    private Optional<FoundTask<String>> find(String id) {
        return fixture.template().find(QUEUE, id, String.class);
    }

    private FoundTask<String> awaitDead(String id) {
        return await().atMost(PATIENCE)
                .until(() -> find(id).orElse(null), task -> task != null && task.state() == TaskState.DEAD);
    }
}
