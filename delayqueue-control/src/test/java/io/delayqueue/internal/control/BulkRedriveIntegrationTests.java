// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.internal.handler.DelayedTasks;
import io.delayqueue.internal.handler.FailurePolicy;
import io.delayqueue.internal.handler.RegisteredHandlers;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A redrive by filter while the queue's handler runs. */
class BulkRedriveIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final int SHARDS = 2;
    private static final int TASKS = 60;

    private final TriggerFixture fixture = new TriggerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void redriveWhenEveryTaskDiesAgainEndsWithEachRedrivenOnce() {
        fixture.shards = SHARDS;
        fixture.maxAttempts = 1;
        List<String> ids = IntStream.range(0, TASKS).mapToObj(i -> "d" + i).toList();
        for (int shard = 0; shard < SHARDS; shard++) {
            int number = shard;
            fixture.redis.makeDead(
                    new Shard(QUEUE, shard),
                    ids.stream()
                            .filter(id -> Sharding.initial(SHARDS).homeOf(id) == number)
                            .toList());
        }
        AtomicInteger attempts = new AtomicInteger();
        RegisteredHandlers handlers = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        handlers.start();
        DelayQueueAdmin admin = fixture.redis.admin(fixture.queues());
        try (QueueControl control = new QueueControl(
                admin,
                fixture.template(),
                (caller, queue) -> ControlScene.EVERYTHING,
                null,
                List.of(),
                fixture.redis.store(),
                List::of,
                Map::of,
                null)) {
            handlers.register(
                    QUEUE,
                    String.class,
                    task -> {
                        attempts.incrementAndGet();
                        throw new IllegalStateException("still broken");
                    },
                    HandlerOptions.DEFAULT);
            // When this task is dead, the handler is known to work, and redriven tasks die within milliseconds.
            fixture.template().schedule(requestTo(QUEUE, "x", Duration.ZERO));
            await().until(() -> admin.stats(QUEUE).dead() == TASKS + 1);

            BulkRequest request = new BulkRequest(QUEUE, BulkAction.REDRIVE, TaskFilter.ALL, 100, false);
            String handle = control.bulk().start(ControlScene.EVE, request).handle();

            OperationView end = await().until(
                            () -> control.bulk().find(ControlScene.EVE, handle).orElseThrow(),
                            operation -> operation.status() != Status.RUNNING);
            assertThat(end.status()).isEqualTo(Status.DONE);
            assertThat(end.done()).isEqualTo(TASKS + 1);
            await().until(() -> admin.stats(QUEUE).dead() == TASKS + 1);
            assertThat(attempts).hasValue(1 + TASKS + 1);
        } finally {
            handlers.stop();
        }
    }
}
