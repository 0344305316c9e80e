// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.TaskExpired;
import io.delayqueue.handler.TaskHandler;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that were asked not to come too late. */
@Timeout(60)
class TooLateIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Shard SHARD = new Shard(QUEUE, 0);
    /** Longer than a trigger takes to start. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final TriggerFixture fixture = new TriggerFixture();
    private final List<String> handled = new CopyOnWriteArrayList<>();
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

    /** The first one blocks until the test lets it end. */
    private void handleSlowly() {
        handle(task -> {
            handled.add(task.id());
            if (task.id().equals("first")) {
                begun.countDown();
                assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
            }
        });
    }

    private static ScheduleRequest.Builder<Object> request(String id) {
        return ScheduleRequest.to(QUEUE).id(id).payload("payload");
    }

    private void awaitState(String id, TaskState state) {
        await().atMost(Duration.ofSeconds(15))
                .until(() -> fixture.template()
                        .find(QUEUE, id, String.class)
                        .filter(task -> task.state() == state)
                        .isPresent());
    }

    /** Waits, also for a process that got the acquire's reply late. */
    private void awaitLate(Instant due) {
        Instant late = due.plus(LIMIT).plusSeconds(3);
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> Instant.now().isAfter(late));
    }

    @Test
    void deliveryWhenTheTaskIsTooLateAtTheAcquireMakesItDeadAndIsTold() {
        fixture.template()
                .schedule(request("late")
                        .dueAt(Instant.now().minusSeconds(60))
                        .expiresAfter(Duration.ofSeconds(30))
                        .build());
        fixture.template()
                .schedule(
                        request("patient").dueAt(Instant.now().minusSeconds(60)).build());
        handle(task -> handled.add(task.id()));

        awaitState("late", TaskState.DEAD);

        await().until(() -> handled.equals(List.of("patient")));
        await().until(() -> fixture.deaths.equals(List.of(new TaskExpired(QUEUE, "late", "expired"))));
        assertThat(fixture.template()
                        .find(QUEUE, "late", String.class)
                        .orElseThrow()
                        .lastReason())
                .contains("expired");
    }

    @Test
    void deliveryWhenTheTaskWaitedForItsTurnTooLongDoesNotBegin() throws InterruptedException {
        fixture.threads = 1;
        fixture.lease = Duration.ofMinutes(1);
        // A worker takes several only behind quick ones.
        fixture.template().schedule(request("quick").dueIn(Duration.ZERO).build());
        handleSlowly();
        await().until(() -> fixture.redis.index(SHARD).isEmpty());
        handled.clear();
        fixture.redis.store().shards().pause(SHARD).join();
        Instant due = Instant.now();
        fixture.template().schedule(request("first").dueAt(due).build());
        fixture.template()
                .schedule(request("second")
                        .dueAt(due.plusMillis(1))
                        .expiresAfter(LIMIT)
                        .build());
        fixture.template().schedule(request("third").dueAt(due.plusMillis(2)).build());
        fixture.redis.store().shards().resume(SHARD).join();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        awaitState("second", TaskState.LEASED);
        awaitLate(due);

        mayEnd.countDown();

        awaitState("second", TaskState.DEAD);
        await().until(() -> handled.equals(List.of("first", "third")));
        await().until(() -> fixture.deaths.equals(List.of(new TaskExpired(QUEUE, "second", "expired"))));
    }
}
