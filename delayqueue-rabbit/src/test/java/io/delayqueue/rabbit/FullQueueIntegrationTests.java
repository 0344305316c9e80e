// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.internal.rabbit.trigger.MessageMaker;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues of the broker that are full and nack what comes, beside those that are not. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class FullQueueIntegrationTests {

    /** Always a classic queue: to a quorum queue its length is no hard limit. */
    private static final Map<String, Object> FULL_AT_TEN =
            Map.of("x-queue-type", "classic", "x-max-length", 10, "x-overflow", "reject-publish");

    private final Broker broker;
    private final Scenario scenario;
    private final Map<String, Integer> arrived = new HashMap<>();
    private String full;

    FullQueueIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.broker = new Broker(rabbit.uri());
        this.scenario = new Scenario(redis, rabbit.publisherUri());
    }

    @BeforeEach
    void declare() throws Exception {
        full = broker.declare(FULL_AT_TEN);
    }

    /** The first connection of a process may take longer than a call may. */
    @BeforeEach
    void connect() {
        await().ignoreExceptions()
                .atMost(Duration.ofSeconds(30))
                .until(() -> scenario.stats().live() == 0);
    }

    @AfterEach
    void close() {
        scenario.close();
    }

    @Test
    void tasksWhenTheQueueIsFullWaitUncountedAtLittleCostUntilThereIsRoom() throws Exception {
        scenario.schedule(60, 10);
        scenario.start(full, full);

        // after the three attempts of the queue, with pauses of at most 0.15 s, they would be dead
        await().atMost(Duration.ofSeconds(20))
                .until(() -> scenario.publisher.refusals().stream()
                        .anyMatch(refusal ->
                                refusal.since().isBefore(Instant.now().minusSeconds(4))));
        assertThat(scenario.publisher.refusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.exchange()).isEqualTo(full);
            assertThat(refusal.routingKey()).isEqualTo(full);
            assertThat(refusal.nacks()).as("the first batch, and a few tries").isBetween(10L, 80L);
        });
        assertThat(scenario.stats().dead()).isZero();
        List<StoredTask> waiting = IntStream.range(0, 60)
                .mapToObj(i -> "task-" + i)
                .filter(scenario::isThere)
                .map(scenario::find)
                .toList();
        assertThat(waiting)
                .hasSizeBetween(30, 50)
                .allMatch(task -> task.failures() == 0 && task.state() != TaskState.DEAD)
                .extracting(StoredTask::lastReason)
                .allMatch(reason -> reason.endsWith("exchange '" + full + "', routing key '" + full + "'"));

        await().atMost(Duration.ofSeconds(40)).until(() -> {
            broker.drainCounts(full).forEach((id, copies) -> arrived.merge(id, copies, Integer::sum));
            return scenario.stats().live() == 0;
        });
        broker.drainCounts(full).forEach((id, copies) -> arrived.merge(id, copies, Integer::sum));
        assertThat(arrived)
                .hasSize(60)
                .allSatisfy((id, copies) -> assertThat(copies).isEqualTo(1));
        assertThat(scenario.stats().dead()).isZero();
        assertThat(scenario.publisher.confirms().nacks()).isPositive();
        // what comes when there is room is not held up by what was
        scenario.schedule("later-", 1, 10);
        scenario.awaitEmpty(Duration.ofSeconds(10));
    }

    @Test
    void tasksWhenAnotherQueueOfTheirBatchIsFullAreDeliveredAtOnceAndOnce() throws Exception {
        String target = broker.declare(Map.of());
        broker.with(channel -> channel.queueBind(full, target, full));
        scenario.start(target, delivery -> delivery.id().startsWith("full-") ? full : target);
        scenario.schedule("full-", 300, 10);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !scenario.publisher.refusals().isEmpty());

        for (int wave = 0; wave < 5; wave++) {
            String prefix = "task-" + wave + "-";
            scenario.schedule(prefix, 500, 10);
            await().atMost(Duration.ofSeconds(3)).until(() -> !scenario.isThere(prefix + "499"));
        }

        assertThat(scenario.publisher.refusals()).hasSize(1);
        await().atMost(Duration.ofSeconds(3)).until(() -> broker.count(target) == 2500);
        List<GetResponse> delivered = broker.drain(target);
        assertThat(delivered)
                .hasSize(2500)
                .allMatch(message -> message.getProps()
                        .getHeaders()
                        .get(RabbitHeaders.ATTEMPT)
                        .equals(1));
        assertThat(scenario.stats().dead()).isZero();
    }

    @Test
    void unavailableForWhenAllTasksGoToAFullQueueSaysWhenToTryAgain() throws Exception {
        RabbitAddress address = new RabbitAddress(full, full);
        TaskDestination destination = scenario.publisher.destination(
                new OutgoingMapper(delivery -> address, MessageMaker.PLAIN, address),
                Scenario.PUBLISHING,
                PublishObservations.NONE::start);
        scenario.schedule(60, 10);
        scenario.start(destination);

        await().atMost(Duration.ofSeconds(10))
                .until(() -> destination.unavailableFor().compareTo(Duration.ofMillis(100)) > 0);
        assertThat(destination.unavailableFor()).isLessThanOrEqualTo(Duration.ofSeconds(2));

        await().atMost(Duration.ofSeconds(40)).until(() -> {
            broker.drain(full);
            return scenario.stats().live() == 0;
        });
        await().atMost(Duration.ofSeconds(5))
                .until(() -> destination.unavailableFor().isZero());
    }

    @Test
    void tasksWhenTheQueueIsFullAndNacksCountAreDeadAfterTheLastAttempt() throws Exception {
        RabbitRoute counting = new RabbitRoute(full, full, true);
        RabbitScanTrigger trigger = new RabbitScanTrigger(scenario.queue) {};
        trigger.setBeanFactory(scenario.beans(new RabbitRoutes(Map.of(scenario.queue, counting))));
        scenario.schedule(30, 10);
        trigger.start();
        try {
            scenario.awaitEmpty(Duration.ofSeconds(20));
        } finally {
            trigger.destroy();
        }

        // the broker checks the length now and then, so that a few more than ten may get in
        int taken = broker.drainCounts(full).size();
        assertThat(taken).isBetween(10, 29);
        assertThat(scenario.stats().dead()).isEqualTo(30 - taken);
        assertThat(scenario.awaitDead("task-29"))
                .isEqualTo("nacked by the broker: exchange '" + full + "', routing key '" + full + "'");
        assertThat(scenario.publisher.refusals()).isEmpty();
    }
}
