// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import io.delayqueue.TaskState;
import io.delayqueue.internal.engine.DeadForwarding;
import io.delayqueue.internal.rabbit.publisher.RabbitDeadLetterForwarder;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class DeadLetterIntegrationTests {

    private static final Duration PERIOD = Duration.ofMillis(200);

    private final Broker broker;
    private final Scenario scenario;
    private RabbitDeadLetterForwarder forwarder;

    DeadLetterIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.broker = new Broker(rabbit.uri());
        this.scenario = new Scenario(redis, rabbit.publisherUri());
    }

    @AfterEach
    void close() {
        if (forwarder != null) {
            forwarder.stop();
        }
        scenario.close();
    }

    @Test
    void deadTasksWhenForwardedArriveWithTheirReasonAndAreGoneFromRedis() throws Exception {
        String target = broker.declare(Map.of());
        scenario.schedule(500, 20);
        scenario.schedule("order-1", "application/json", Map.of("tenant", "blue"), "{}");
        scenario.start("missing", "x");
        await().atMost(Duration.ofSeconds(40)).until(() -> scenario.stats().dead() == 501);

        start(target, target);
        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 0);
        forwarder.stop();

        List<GetResponse> messages = broker.drain(target);
        Set<String> ids = new HashSet<>();
        for (GetResponse message : messages) {
            Map<String, Object> headers = message.getProps().getHeaders();
            ids.add(message.getProps().getMessageId());
            assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
            assertThat(headers.get(DeadForwarding.REASON_HEADER)).hasToString("exchange 'missing' does not exist");
            assertThat(headers.get(DeadForwarding.FAILURES_HEADER)).hasToString("3");
            assertThat(headers.get(RabbitHeaders.QUEUE)).hasToString(scenario.queue);
        }
        assertThat(messages).hasSize(501);
        assertThat(ids).hasSize(501).contains("order-1");
        assertThat(messages)
                .filteredOn(message -> message.getProps().getMessageId().equals("order-1"))
                .singleElement()
                .satisfies(message -> assertThat(message.getProps().getHeaders().get("tenant"))
                        .hasToString("blue"));
    }

    @Test
    void deadTasksWhenTheBrokerDoesNotTakeThemStayDeadUntilItDoes() throws Exception {
        scenario.schedule(10, 20);
        scenario.start("missing", "x");
        await().atMost(Duration.ofSeconds(40)).until(() -> scenario.stats().dead() == 10);

        String target = broker.declare(Map.of());
        start(target, "nowhere");
        await().during(Duration.ofSeconds(1))
                .atMost(Duration.ofSeconds(10))
                .until(() -> scenario.stats().dead() == 10);
        assertThat(scenario.find("task-0").lastReason()).isEqualTo("exchange 'missing' does not exist");
        forwarder.stop();

        start(target, target);
        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 0);
        assertThat(broker.drain(target)).hasSize(10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deadTasksWhenNoneIsTakenAreSentAgainAfterGrowingPauses(boolean anotherShardFails) throws Exception {
        scenario.schedule(10, 20);
        scenario.start("missing", "x");
        await().atMost(Duration.ofSeconds(40)).until(() -> scenario.stats().dead() == 10);
        if (anotherShardFails) {
            scenario.addDamagedShard();
        }

        String target = broker.declare(Map.of());
        long began = System.nanoTime();
        start(target, "nowhere");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> scenario.publisher.confirms().returns() >= 40);

        // after 0.2 s, and pauses of 0.2, 0.4 and 0.8 s, each of which ends with a period
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(1500));
    }

    @Test
    void deadTasksWhenThreeForwardersRunArriveOnceAndWhenOneStopsAnotherGoesOn() throws Exception {
        String target = broker.declare(Map.of());
        scenario.start("missing", "x");
        List<RabbitDeadLetterForwarder> all =
                Stream.generate(() -> forwarder(target, target)).limit(3).toList();
        all.forEach(RabbitDeadLetterForwarder::start);
        try {
            for (RabbitDeadLetterForwarder next : all) {
                scenario.schedule(next.hashCode() + "-", 1_000, 20);
                await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                    assertThat(scenario.stats().live()).isZero();
                    assertThat(scenario.stats().dead()).isZero();
                });
                next.stop();
            }
        } finally {
            all.forEach(RabbitDeadLetterForwarder::stop);
        }

        assertThat(broker.drainCounts(target))
                .hasSize(3_000)
                .allSatisfy((id, copies) -> assertThat(copies).isEqualTo(1));
    }

    @Test
    void deadTasksWhenTheProcessThatForwardsFallsSilentWaitAndAreForwardedByAnother() throws Exception {
        String target = broker.declare(Map.of());
        Duration silence = Duration.ofSeconds(3);
        scenario.schedule(10, 20);
        scenario.start("missing", "x");
        await().atMost(Duration.ofSeconds(40)).until(() -> scenario.stats().dead() == 10);
        long asked = System.nanoTime();
        assertThat(scenario.store
                        .shardings()
                        .claimForwarder(scenario.queue, "a process that was killed", silence)
                        .join())
                .isTrue();

        start(target, target);

        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 0);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThanOrEqualTo(silence);
        assertThat(broker.drainCounts(target))
                .hasSize(10)
                .allSatisfy((id, copies) -> assertThat(copies).isEqualTo(1));
    }

    @Test
    void deadTasksWhenRedrivenAndForwardedCarryTheKeyThatTheyAlwaysHad() throws Exception {
        String target = broker.declare(Map.of());
        scenario.schedule("order-1", "text/plain", Map.of(), "x");
        Set<String> keys = ConcurrentHashMap.newKeySet();
        RabbitScanTrigger trigger = scenario.start("missing", delivery -> {
            keys.add(delivery.taskKey());
            return "x";
        });
        scenario.awaitDead("order-1");
        scenario.redrive("order-1");
        scenario.awaitDead("order-1");
        trigger.stop();

        start(target, target);
        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 0);

        assertThat(keys).hasSize(1).first().asString().matches("[A-Za-z0-9_-]{22}");
        assertThat(broker.drain(target).get(0).getProps().getHeaders().get(RabbitHeaders.TASK_KEY))
                .hasToString(keys.iterator().next());
    }

    @Test
    void deadTasksWhenNoMessageCanBeMadeOfSomeStayAndTheOthersAreForwarded() throws Exception {
        String target = broker.declare(Map.of());
        for (int i = 0; i < 3; i++) {
            scenario.schedule("bad-" + i, "text/plain", Map.of("n".repeat(300), "v"), "x");
            scenario.schedule("good-" + i, "text/plain", Map.of(), "x");
        }
        scenario.schedule("long-type", "t".repeat(300), Map.of(), "x");
        scenario.start("missing", "x");
        await().atMost(Duration.ofSeconds(40)).until(() -> scenario.stats().dead() == 7);

        start(target, target);

        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 4);
        forwarder.stop();
        assertThat(broker.drain(target))
                .extracting(message -> message.getProps().getMessageId())
                .containsExactlyInAnyOrder("good-0", "good-1", "good-2");
        assertThat(scenario.find("bad-0").state()).isEqualTo(TaskState.DEAD);
    }

    @Test
    void deadTasksWhenTheirIdIsNoTextStayEvenWhereTheMessageWouldComeBack() throws Exception {
        String target = broker.declare(Map.of());
        String foreign = "a\udc80";
        scenario.schedule(foreign, "text/plain", Map.of(), "x");
        scenario.schedule("good", "text/plain", Map.of(), "x");
        scenario.start("missing", "x");
        await().atMost(Duration.ofSeconds(40)).until(() -> scenario.stats().dead() == 2);

        start(target, "nowhere");
        await().during(Duration.ofSeconds(1))
                .atMost(Duration.ofSeconds(10))
                .until(() -> scenario.stats().dead() == 2);
        forwarder.stop();

        start(target, target);
        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 1);
        forwarder.stop();
        assertThat(scenario.find(foreign).state()).isEqualTo(TaskState.DEAD);
        assertThat(broker.drain(target))
                .extracting(message -> message.getProps().getMessageId())
                .containsExactly("good");
    }

    private void start(String exchange, String routingKey) {
        forwarder = forwarder(exchange, routingKey);
        forwarder.start();
    }

    private RabbitDeadLetterForwarder forwarder(String exchange, String routingKey) {
        return new RabbitDeadLetterForwarder(
                scenario.context.engine(),
                scenario.context.queues().get(scenario.queue),
                scenario.publisher,
                new RabbitRoute(exchange, routingKey),
                PERIOD);
    }
}
