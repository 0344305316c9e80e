// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.handler.BatchTaskHandler;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.RetryHint;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/** Handlers that take tasks many at a time, on a real Redis. */
@Timeout(60)
class BatchHandlerIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final TriggerFixture fixture = new TriggerFixture();
    private final List<List<String>> batches = new CopyOnWriteArrayList<>();
    private RegisteredHandlers registry;

    @AfterEach
    void close() {
        if (registry != null) {
            registry.destroy();
        }
        fixture.close();
    }

    private HandlerRegistration handle(Duration maxWait, BatchTaskHandler<String> handler) {
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
        return registry.registerBatch(
                QUEUE,
                String.class,
                tasks -> {
                    batches.add(tasks.stream().map(DelayedTask::id).toList());
                    handler.handle(tasks);
                },
                HandlerOptions.builder().batchSize(3).maxWait(maxWait).build());
    }

    private void schedule(String... ids) {
        fixture.template()
                .scheduleAll(List.of(ids).stream()
                        .map(id -> requestTo(QUEUE, id, "payload of " + id, Duration.ZERO))
                        .toList());
    }

    private Optional<FoundTask<String>> find(String id) {
        return fixture.template().find(QUEUE, id, String.class);
    }

    private void awaitGone(String... ids) {
        await().atMost(PATIENCE).until(() -> List.of(ids).stream().allMatch(id -> find(id).isEmpty()));
    }

    @Test
    void handleWhenMoreAreDueThanABatchTakesGetsFullBatchesAndTheRestAfterTheWait() {
        String[] ids =
                IntStream.range(0, 7).mapToObj(number -> "task-" + number).toArray(String[]::new);
        schedule(ids);
        long start = System.nanoTime();
        handle(Duration.ofSeconds(1), tasks -> {});

        await().atMost(PATIENCE).until(() -> batches.size() == 3);
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        awaitGone(ids);

        assertThat(batches).extracting(List::size).containsExactlyInAnyOrder(3, 3, 1);
        assertThat(batches.stream().flatMap(List::stream)).containsExactlyInAnyOrder(ids);
        assertThat(batches.get(2)).as("the one that waited").hasSize(1);
        assertThat(waited).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void handleWhenABatchFillsUpWhileItWaitsDoesNotWaitAnyLonger() {
        handle(Duration.ofMinutes(5), tasks -> {});
        schedule("a");
        schedule("b");
        await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(batches::isEmpty);
        schedule("c");

        awaitGone("a", "b", "c");
        assertThat(batches).hasSize(1);
    }

    @Test
    void handleWhenATaskWouldBeTooLateAfterTheWaitDoesNotWaitThatLong() {
        LocalTime noon = LocalTime.NOON;
        int toNoon = noon.toSecondOfDay() - LocalTime.now(ZoneOffset.UTC).toSecondOfDay();
        DeliveryWindow closing = DeliveryWindow.between(noon.minusHours(1), noon.plusMinutes(2))
                .inZone(ZoneOffset.ofTotalSeconds(toNoon));
        fixture.timing = new TimingSettings(Duration.ofSeconds(6), TimingSettings.Expired.DEAD, null, Map.of());
        handle(Duration.ofMinutes(5), tasks -> {});

        schedule("expires");
        awaitGone("expires");
        fixture.template()
                .schedule(ScheduleRequest.to(QUEUE)
                        .id("closes")
                        .payload("x")
                        .dueIn(Duration.ZERO)
                        .expiresAfter(Duration.ofDays(1))
                        .within(closing)
                        .build());
        awaitGone("closes");

        assertThat(batches).containsExactly(List.of("expires"), List.of("closes"));
    }

    @Test
    void handleWhenOneTaskFailsAcknowledgesTheOthers() {
        handle(
                Duration.ZERO,
                tasks -> tasks.forEach(task -> {
                    if (task.id().equals("b")) {
                        task.fail(new IllegalStateException("no b"));
                    } else if (task.id().equals("c")) {
                        task.fail(new NonRetryableTaskException("never c"));
                    }
                }));
        schedule("a", "b", "c");

        awaitGone("a");
        await().atMost(PATIENCE).until(() -> find("b").map(FoundTask::state).equals(Optional.of(TaskState.DEAD)));
        assertThat(find("b").orElseThrow().failures()).isEqualTo(3);
        assertThat(find("c").orElseThrow().state()).isEqualTo(TaskState.DEAD);
        assertThat(find("c").orElseThrow().failures()).isEqualTo(1);
        assertThat(batches.stream().flatMap(List::stream).filter("a"::equals)).hasSize(1);
    }

    /** An exception that throws when the library asks it for anything. */
    private static final class Broken extends RuntimeException implements RetryHint {

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public boolean isRetryable() {
            throw new IllegalStateException("no hint");
        }
    }

    @Test
    void handleWhenTheFailureOfOneTaskCannotBeProcessedAcknowledgesTheOthers() {
        handle(
                Duration.ZERO,
                tasks -> tasks.stream().filter(task -> task.id().equals("b")).forEach(task -> task.fail(new Broken())));
        schedule("a", "b", "c");

        await().atMost(PATIENCE).until(() -> find("b").map(FoundTask::state).equals(Optional.of(TaskState.DEAD)));
        awaitGone("a", "c");
        assertThat(find("b").orElseThrow().failures()).isEqualTo(3);
        assertThat(find("b").orElseThrow().lastReason()).hasValue("java.lang.IllegalStateException");
        assertThat(batches.stream().flatMap(List::stream)).containsExactlyInAnyOrder("a", "b", "c", "b", "b");
    }

    @Test
    void handleWhenAnInterceptorThrowsWhatCannotBeProcessedGetsTheOthers() {
        fixture.interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void before(Delivery delivery) {
                if (delivery.id().equals("b") && delivery.attempt() == 1) {
                    throw new Broken();
                }
            }
        }));
        List<String> attempts = new CopyOnWriteArrayList<>();
        handle(Duration.ZERO, tasks -> tasks.forEach(task -> attempts.add(task.id() + task.attempt())));
        schedule("a", "b", "c");

        awaitGone("a", "b", "c");
        assertThat(attempts).containsExactlyInAnyOrder("a1", "b2", "c1");
    }

    @Test
    void interceptorsWhenOneTaskOfABatchFailsRunInTheLoggingContextOfTheirTask() {
        List<String> contexts = new CopyOnWriteArrayList<>();
        fixture.interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void after(Delivery delivery) {
                contexts.add(delivery.id() + " in " + MDC.get("delayqueue.task"));
            }

            @Override
            public void error(Delivery delivery, Throwable error) {
                contexts.add(delivery.id() + " in " + MDC.get("delayqueue.task"));
            }
        }));
        handle(
                Duration.ZERO,
                tasks -> tasks.stream()
                        .filter(task -> task.id().equals("b"))
                        .forEach(task -> task.fail(new NonRetryableTaskException("never b"))));
        schedule("a", "b", "c");

        awaitGone("a", "c");
        assertThat(contexts).containsExactlyInAnyOrder("a in a", "b in b", "c in c");
    }

    @Test
    void handleWhenItThrowsFailsAllButThoseThatItFailedItself() {
        handle(Duration.ZERO, tasks -> {
            for (DelayedTask<String> task : tasks) {
                if (task.id().equals("c")) {
                    task.fail(new NonRetryableTaskException("never c"));
                }
            }
            if (batches.size() == 1) {
                throw new IllegalStateException("the table is locked");
            }
        });
        schedule("a", "b", "c");

        awaitGone("a", "b");
        assertThat(find("c").orElseThrow().state()).isEqualTo(TaskState.DEAD);
    }

    @Test
    void handleWhenItStopsWhileTasksWaitReleasesThem() {
        HandlerRegistration registration = handle(Duration.ofMinutes(5), tasks -> {});
        schedule("a");
        await().atMost(PATIENCE).until(() -> find("a").map(FoundTask::state).equals(Optional.of(TaskState.LEASED)));

        registration.stop();

        await().atMost(PATIENCE).until(() -> find("a").map(FoundTask::state).equals(Optional.of(TaskState.SCHEDULED)));
        assertThat(batches).isEmpty();
        assertThat(find("a").orElseThrow().failures()).isZero();
    }

    @Test
    void handleWhenItIsOverTimeFailsTheWholeBatch() {
        CountDownLatch never = new CountDownLatch(1);
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
        registry.registerBatch(
                QUEUE,
                String.class,
                tasks -> {
                    batches.add(tasks.stream().map(DelayedTask::id).toList());
                    if (batches.size() == 1) {
                        never.await();
                    }
                },
                HandlerOptions.builder().timeout(Duration.ofMillis(200)).build());
        schedule("a", "b");

        awaitGone("a", "b");
        assertThat(batches.get(0)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void handleWhenItHangsEndsTasksThatHadFailedByTheirOwnFailures() {
        CountDownLatch end = new CountDownLatch(1);
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
        registry.registerBatch(
                QUEUE,
                String.class,
                tasks -> {
                    tasks.stream()
                            .filter(task -> task.id().equals("c"))
                            .forEach(task -> task.fail(new NonRetryableTaskException("never c")));
                    while (tasks.size() == 2 && end.getCount() > 0) {
                        try {
                            end.await();
                        } catch (InterruptedException ex) {
                            // hangs
                        }
                    }
                },
                HandlerOptions.builder().timeout(Duration.ofMillis(200)).build());
        try {
            List<ScheduleRequest<?>> requests = new ArrayList<>();
            requests.add(requestTo(QUEUE, "a", "x", Duration.ZERO));
            requests.add(requestTo(QUEUE, "broken", new EncodedPayload("image/png", new byte[] {1}), Duration.ZERO));
            requests.add(requestTo(QUEUE, "c", "x", Duration.ZERO));
            fixture.template().scheduleAll(requests);

            await().atMost(PATIENCE).until(() -> find("c").map(FoundTask::state).equals(Optional.of(TaskState.DEAD)));
            assertThat(find("c").orElseThrow().lastReason().orElse("")).contains("never c");
            await().atMost(PATIENCE)
                    .until(() -> fixture.template()
                            .find(QUEUE, "broken")
                            .map(FoundTask::state)
                            .equals(Optional.of(TaskState.DEAD)));
            assertThat(fixture.template()
                            .find(QUEUE, "broken")
                            .orElseThrow()
                            .lastReason()
                            .orElse(""))
                    .contains("UnreadablePayloadException");
        } finally {
            end.countDown();
        }
    }

    @Test
    void handleWhenAnInterceptorRefusesOneGetsTheOthersAndTellsOfEachEnd() {
        List<String> ends = new CopyOnWriteArrayList<>();
        fixture.interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void before(Delivery delivery) {
                if (delivery.id().equals("b") && delivery.attempt() == 1) {
                    throw new IllegalStateException("not b");
                }
            }

            @Override
            public void after(Delivery delivery) {
                ends.add("after " + delivery.id());
            }
        }));
        handle(Duration.ZERO, tasks -> {});
        schedule("a", "b", "c");

        awaitGone("a", "b", "c");
        assertThat(ends).containsExactlyInAnyOrder("after a", "after b", "after c");
    }

    @Test
    void againWhenTasksOfABatchAskForItBeginsTheirRoundsAlone() {
        handle(
                Duration.ZERO,
                tasks -> tasks.stream()
                        .filter(task -> task.id().equals("b"))
                        .forEach(task -> task.again(Duration.ofHours(1))));
        schedule("a", "b");

        awaitGone("a");
        await().atMost(PATIENCE)
                .until(() ->
                        find("b").orElseThrow().dueAt().isAfter(Instant.now().plus(Duration.ofMinutes(30))));
    }
}
