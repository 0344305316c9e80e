// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.LogLines;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.TaskDied;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.TaskHandler;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recurring tasks, tasks that reschedule themselves, and tasks with the same id and the same millisecond. */
@Timeout(60)
class RoundsIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LATER = Duration.ofHours(1);

    private final TriggerFixture fixture = new TriggerFixture();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private RegisteredHandlers registry;

    @AfterEach
    void close() {
        mayEnd.countDown();
        if (registry != null) {
            registry.stop();
        }
        fixture.close();
    }

    private void handle(TaskHandler<String> handler) {
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
        registry.register(QUEUE, String.class, handler);
    }

    private void schedule(String id, String payload) {
        fixture.template().schedule(requestTo(QUEUE, id, payload, Duration.ZERO));
    }

    private Optional<FoundTask<String>> find(String id) {
        return fixture.template().find(QUEUE, id, String.class);
    }

    private CancelOutcome cancel(String id) {
        return fixture.template().cancel(QUEUE, id);
    }

    private void awaitTaskIs(String id, TaskState state) {
        await().atMost(Duration.ofSeconds(15))
                .until(() -> find(id).map(FoundTask::state).equals(Optional.of(state)));
    }

    private static void awaitLatch(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void againWhenEachRoundFailsOnceGoesOnForEver() {
        List<String> keys = new CopyOnWriteArrayList<>();
        handle(task -> {
            if (task.attempt() == 1) {
                throw new IllegalStateException("a transient failure in each round");
            }
            keys.add(task.taskKey());
            task.again(SOON);
        });
        schedule("tick", "payload");

        await().atMost(Duration.ofSeconds(15)).until(() -> keys.size() >= 6);

        assertThat(keys).as("three failures are the most").doesNotHaveDuplicates();
        assertThat(find("tick").orElseThrow().payload()).isEqualTo("payload");
    }

    @Test
    void againWhenTheTaskIsCancelledMeanwhileDoesNotBringItBack() throws InterruptedException {
        handle(task -> {
            begun.countDown();
            awaitLatch(mayEnd);
            task.again(Duration.ZERO);
        });
        schedule("tick", "x");
        awaitLatch(begun);

        assertThat(cancel("tick")).isEqualTo(CancelOutcome.IN_FLIGHT);
        mayEnd.countDown();

        awaitNothingIsDelivered();
        assertThat(find("tick")).isEmpty();
    }

    @Test
    void againWhenTheHandlerThenThrowsIsForgotten() {
        AtomicInteger attempts = new AtomicInteger();
        handle(task -> {
            attempts.incrementAndGet();
            task.again(LATER);
            throw new IllegalStateException("after all");
        });
        schedule("tick", "x");

        awaitTaskIs("tick", TaskState.DEAD);

        assertThat(attempts).hasValue(3);
    }

    @Test
    void againWhenTheWorkGoesOnCountsUntilItsEnd() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
        registry.registerAsync(
                QUEUE, String.class, task -> work.thenRun(() -> task.again(LATER)), HandlerOptions.DEFAULT);
        schedule("tick", "x");
        awaitTaskIs("tick", TaskState.LEASED);

        work.complete(null);

        awaitTaskIs("tick", TaskState.SCHEDULED);
        assertThat(cancel("tick")).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void handleWhenItMovesItsTaskAndThenThrowsLeavesItAtTheNewTimeAndSaysSo() {
        try (LogLines log = new LogLines()) {
            handle(task -> {
                assertThat(fixture.template().reschedule(QUEUE, task.id(), Due.after(LATER)))
                        .isEqualTo(RescheduleOutcome.IN_FLIGHT);
                throw new IllegalStateException("after the move");
            });
            schedule("moved", "x");

            await().atMost(Duration.ofSeconds(15))
                    .until(() -> log.all().stream()
                            .anyMatch(line -> line.contains("'moved' was scheduled, rescheduled, cancelled")
                                    && line.contains("after the move")));

            FoundTask<String> found = find("moved").orElseThrow();
            assertThat(found.state()).isEqualTo(TaskState.SCHEDULED);
            assertThat(found.failures()).isZero();
        }
    }

    @Test
    void scheduleWhenAHandlerOfTheIdRunsWaitsForItsEnd() throws InterruptedException {
        List<String> handled = new CopyOnWriteArrayList<>();
        handle(task -> {
            handled.add(task.payload());
            begun.countDown();
            awaitLatch(mayEnd);
        });
        schedule("a", "first");
        awaitLatch(begun);

        schedule("a", "second");
        assertThat(fixture.template().reschedule(QUEUE, "a", Due.after(Duration.ZERO)))
                .isEqualTo(RescheduleOutcome.IN_FLIGHT);
        schedule("b", "another id");
        await().atMost(Duration.ofSeconds(15)).until(() -> handled.contains("another id"));
        assertThat(handled).containsExactly("first", "another id");
        mayEnd.countDown();

        await().atMost(Duration.ofSeconds(15)).until(() -> handled.contains("second"));
        await().atMost(Duration.ofSeconds(15)).until(() -> find("a").isEmpty());
        assertThat(handled).containsExactly("first", "another id", "second");
    }

    @Test
    void handleWhenTasksWithoutAnIdAreDueInTheSameMillisecondComesAsScheduled() {
        fixture.threads = 1;
        List<String> handled = new CopyOnWriteArrayList<>();
        List<String> ids = new ArrayList<>();
        Instant due = Instant.now().plusMillis(300);
        for (int i = 0; i < 20; i++) {
            ScheduleRequest<?> request = requestTo(QUEUE, "x", due);
            fixture.template().schedule(request);
            ids.add(request.id());
        }

        handle(task -> handled.add(task.id()));

        await().atMost(Duration.ofSeconds(15)).until(() -> handled.size() == ids.size());
        assertThat(handled).isEqualTo(ids);
    }

    @Test
    void handleWhenTheDeadAreNotKeptDeletesTheTaskThatDies() {
        fixture.dead = new DeadSettings(null, null, DeadSettings.Keep.NONE);
        AtomicInteger attempts = new AtomicInteger();
        try (LogLines log = new LogLines()) {
            handle(task -> {
                attempts.incrementAndGet();
                throw new IllegalStateException("never");
            });
            schedule("hopeless", "x");

            await().atMost(Duration.ofSeconds(15)).until(() -> find("hopeless").isEmpty());

            assertThat(attempts).hasValue(3);
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> log.all().stream()
                            .anyMatch(line -> line.contains("are dead and deleted") && line.contains("hopeless")));
            await().atMost(Duration.ofSeconds(15))
                    .untilAsserted(() -> assertThat(fixture.deaths)
                            .containsExactly(
                                    new TaskDied(QUEUE, "hopeless", "java.lang.IllegalStateException: never")));
        }
    }

    private void awaitNothingIsDelivered() {
        await().during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(5))
                .until(() -> find("tick").isEmpty());
    }
}
