// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import io.delayqueue.BadInput;
import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.LogLines;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclaration;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclarations;
import io.delayqueue.internal.rabbit.publisher.TriggerExtensions;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class RabbitDeliveryIntegrationTests {

    private final Broker broker;
    private final Scenario scenario;
    private final RedisServer redis;
    private final RabbitServer rabbit;
    private String target;

    RabbitDeliveryIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.redis = redis;
        this.rabbit = rabbit;
        this.broker = new Broker(rabbit.uri());
        this.scenario = new Scenario(redis, rabbit.publisherUri());
    }

    @BeforeEach
    void declare() throws Exception {
        target = broker.declare(Map.of());
    }

    @AfterEach
    void close() {
        scenario.close();
    }

    @Test
    void deliverSendsThePayloadAsStoredWithIdContentTypeAndHeadersAndPersistent() throws Exception {
        Instant before = Instant.now().minusSeconds(1);
        scenario.schedule("order-1", "application/json", Map.of("tenant", "blue"), "{\"total\":3}");
        scenario.start(target, target);
        scenario.awaitEmpty(Duration.ofSeconds(10));

        GetResponse message = broker.drain(target).get(0);
        assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).isEqualTo("{\"total\":3}");
        assertThat(message.getProps().getMessageId()).isEqualTo("order-1");
        assertThat(message.getProps().getContentType()).isEqualTo("application/json");
        assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
        Map<String, Object> headers = message.getProps().getHeaders();
        assertThat(headers.get("tenant")).hasToString("blue");
        assertThat(headers.get(RabbitHeaders.QUEUE)).hasToString(scenario.queue);
        assertThat(headers.get(RabbitHeaders.ATTEMPT)).isEqualTo(1);
        assertThat((Long) headers.get(RabbitHeaders.FENCING_TOKEN)).isPositive();
        assertThat((Long) headers.get(RabbitHeaders.DUE_AT))
                .isBetween(before.toEpochMilli(), Instant.now().toEpochMilli());
    }

    @Test
    void deliverWhenContentIsOddSendsItOrRejectsItAndSendsAllTheRest() throws Exception {
        Map<String, Map<String, String>> odd = new LinkedHashMap<>();
        BadInput.oddHeaders().forEach(headers -> odd.put("odd-" + odd.size(), headers.input()));
        odd.put("no-name", Map.of("", "v"));
        odd.put("line-breaks", Map.of("a\r\nb", BadInput.FORGERY));
        odd.put("reserved", Map.of("dq-fencing-token", "9", "dq-queue", "other"));
        odd.put("long-name", Map.of("n".repeat(300), "v"));
        scenario.schedule("good-1", "text/plain", Map.of(), "x");
        odd.forEach((id, headers) -> scenario.schedule(id, "text/plain", headers, "x"));
        scenario.schedule("long-type", "t".repeat(300), Map.of(), "x");
        scenario.schedule("forged-type", "a\r\n/" + BadInput.FORGERY, Map.of(), "x");
        scenario.schedule("good-2", "text/plain", Map.of(), "x");
        try (LogLines log = new LogLines()) {
            scenario.start(target, target);
            scenario.awaitEmpty(Duration.ofSeconds(20));
            log.assertUnforged();
        }

        Map<String, GetResponse> arrived = new HashMap<>();
        for (GetResponse message : broker.drain(target)) {
            arrived.put(message.getProps().getMessageId(), message);
        }
        assertThat(arrived).containsKeys("good-1", "good-2", "line-breaks", "reserved", "no-name", "forged-type");
        assertThat(scenario.awaitDead("long-type"))
                .isEqualTo("its content type is longer than the 255 bytes that AMQP allows");
        assertThat(scenario.awaitDead("long-name")).startsWith("cannot be an AMQP message");
        assertThat(arrived.get("line-breaks").getProps().getHeaders().get("a\r\nb"))
                .hasToString(BadInput.FORGERY);
        Map<String, Object> headers = arrived.get("reserved").getProps().getHeaders();
        assertThat(headers.get(RabbitHeaders.QUEUE)).as("not the stored one").hasToString(scenario.queue);
        assertThat(headers.get(RabbitHeaders.FENCING_TOKEN)).isInstanceOf(Long.class);
        assertThat(arrived.size() + scenario.stats().dead()).as("nothing lost").isEqualTo(odd.size() + 4L);
    }

    @Test
    void deliverWhenTheIdIsTooLongForAMessageIdSendsItAsHeader() throws Exception {
        String fits = "i".repeat(255);
        String tooLong = "i".repeat(256);
        scenario.schedule(fits, "text/plain", Map.of(), "x");
        scenario.schedule(tooLong, "text/plain", Map.of(), "y");
        scenario.start(target, target);
        scenario.awaitEmpty(Duration.ofSeconds(10));

        for (GetResponse message : broker.drain(target)) {
            boolean isLong = new String(message.getBody(), StandardCharsets.UTF_8).equals("y");
            assertThat(message.getProps().getMessageId()).isEqualTo(isLong ? null : fits);
            Object header = message.getProps().getHeaders().get(RabbitHeaders.ID);
            assertThat(header == null ? null : header.toString()).isEqualTo(isLong ? tooLong : null);
        }
    }

    @Test
    void deliverWhenTheIdIsTooLongForAMessageIdAndUnroutableMakesItDead() {
        scenario.schedule("i".repeat(256), "text/plain", Map.of(), "x");
        scenario.start(target, "nowhere");

        assertThat(scenario.awaitDead("i".repeat(256))).startsWith("unroutable");
    }

    @Test
    void deliverWhenUnroutableMakesItDeadAfterTheLastAttemptWithTheAddress() {
        scenario.schedule("lost", "text/plain", Map.of(), "x");
        scenario.start(target, "nowhere");

        assertThat(scenario.awaitDead("lost"))
                .isEqualTo("unroutable: exchange '" + target + "', routing key 'nowhere': 312 NO_ROUTE");
        assertThat(scenario.find("lost").failures()).isEqualTo(3);
    }

    @Test
    void deliverWhenTheExchangeIsMissingMakesItDeadAfterTheLastAttempt() {
        scenario.schedule(300, 10);
        scenario.start("missing", "x");

        assertThat(scenario.awaitDead("task-0")).isEqualTo("exchange 'missing' does not exist");
        assertThat(scenario.awaitDead("task-299")).isEqualTo("exchange 'missing' does not exist");
        scenario.awaitEmpty(Duration.ofSeconds(10));
        assertThat(scenario.stats().dead()).isEqualTo(300);
    }

    /** Always a classic queue: to a quorum queue its length is no hard limit. */
    private static Map<String, Object> full(int length) {
        return Map.of("x-queue-type", "classic", "x-max-length", length, "x-overflow", "reject-publish");
    }

    @Test
    void deliverWhenOutcomesAreMixedInOneBatchGivesEachTaskItsOwn() throws Exception {
        String full = broker.declare(full(1));
        broker.with(channel -> channel.queueBind(full, target, full));
        broker.with(channel -> {
            channel.basicPublish("", full, null, new byte[1]);
            return null;
        });
        scenario.schedule(90, 10);
        scenario.start(target, delivery -> switch (number(delivery.id()) % 3) {
            case 0 -> target;
            case 1 -> "nowhere";
            default -> full;
        });
        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 30);
        await().atMost(Duration.ofSeconds(20)).until(() -> broker.count(target) == 30);

        assertThat(broker.drainCounts(target).keySet()).hasSize(30).allMatch(id -> number(id) % 3 == 0);
        assertThat(scenario.awaitDead("task-1")).startsWith("unroutable");
        assertThat(scenario.find("task-89").failures()).isZero();
        assertThat(scenario.find("task-89").lastReason()).contains("nack").contains("routing key '" + full + "'");
    }

    @Test
    void deliverWhenTheTriggerNamesNoRoutingKeyForOneOfABatchFailsOnlyThatOneForSure() throws Exception {
        scenario.schedule("task-", 20, 20);
        scenario.schedule("null", "text/plain", Map.of(), "x");
        scenario.schedule("throws", "text/plain", Map.of(), "x");
        RabbitScanTrigger trigger = scenario.start(target, delivery -> switch (delivery.id()) {
            case "null" -> null;
            case "throws" -> throw new AssertionError("secret");
            default -> target;
        });

        String method = "no route: " + trigger.getClass().getName() + ".address(Delivery) ";
        assertThat(scenario.awaitDead("null")).isEqualTo(method + "threw " + DelayQueueException.class.getName());
        assertThat(scenario.awaitDead("throws")).isEqualTo(method + "threw java.lang.AssertionError");
        scenario.awaitEmpty(Duration.ofSeconds(10));
        assertThat(scenario.find("null").failures()).isEqualTo(3);
        trigger.stop();
        assertThat(scenario.redriveAndCancel("null")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(scenario.redriveAndCancel("throws")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(broker.drainCounts(target))
                .hasSize(20)
                .allSatisfy((id, copies) -> assertThat(copies).isEqualTo(1));
    }

    @Test
    void routerWhenItNamesAnotherExchangeForEachTaskDoesAsATriggerOfTheApplications() throws Exception {
        String full = broker.declare(full(1));
        String other = broker.declare(Map.of());
        scenario.schedule(120, 10);
        RabbitScanTrigger trigger = new RabbitScanTrigger(scenario.queue) {};
        RabbitRouter ofAll = delivery -> {
            throw new AssertionError("another router names the queue");
        };
        scenario.start(
                trigger,
                new TriggerExtensions(
                        List.of(),
                        List.of(
                                ofAll,
                                RabbitRouter.forQueue(
                                        scenario.queue, delivery -> byNumber(delivery, target, other, full)))));

        assertThatEachReachedItsExchange(other, full);
    }

    private static RabbitAddress byNumber(Delivery delivery, String target, String other, String full) {
        return switch (number(delivery.id()) % 4) {
            case 0 -> new RabbitAddress(target, target);
            case 1 -> new RabbitAddress("", other);
            case 2 -> new RabbitAddress(full, full);
            default -> new RabbitAddress("missing-" + target, target);
        };
    }

    private void assertThatEachReachedItsExchange(String other, String full) throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> scenario.stats().dead() == 30);
        await().atMost(Duration.ofSeconds(20)).until(() -> broker.count(target) + broker.count(other) == 60);
        assertThat(broker.drainCounts(target)).hasSize(30).allSatisfy((id, copies) -> {
            assertThat(number(id) % 4).isZero();
            assertThat(copies).isEqualTo(1);
        });
        assertThat(broker.drainCounts(other).keySet()).hasSize(30).allMatch(id -> number(id) % 4 == 1);
        assertThat(scenario.awaitDead("task-3")).isEqualTo("exchange 'missing-" + target + "' does not exist");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(scenario.publisher.refusals())
                        .singleElement()
                        .satisfies(refusal -> assertThat(refusal.exchange()).isEqualTo(full)));
        assertThat(scenario.find("task-118").failures())
                .as("a full queue does not count")
                .isZero();
    }

    @Test
    void routerWhenItAnswersNullOrThrowsFailsThatTaskAndIsNamed() throws Exception {
        scenario.schedule("null", "text/plain", Map.of(), "x");
        scenario.schedule("throws", "text/plain", Map.of(), "x");
        scenario.schedule("good", "text/plain", Map.of(), "x");
        RabbitRouter router = delivery -> switch (delivery.id()) {
            case "null" -> null;
            case "throws" -> throw new AssertionError("secret");
            default -> new RabbitAddress(target, target);
        };
        RabbitScanTrigger trigger = new RabbitScanTrigger(scenario.queue) {};
        scenario.start(trigger, new TriggerExtensions(List.of(), List.of(router)));

        String method = "no route: " + router.getClass().getName() + ".route(Delivery) ";
        assertThat(scenario.awaitDead("null")).isEqualTo(method + "returned null");
        assertThat(scenario.awaitDead("throws")).isEqualTo(method + "threw java.lang.AssertionError");
        await().atMost(Duration.ofSeconds(10)).until(() -> broker.count(target) == 1);
    }

    @Test
    void deliverWhenTheBrokerRefusesOneOfABatchFailsOnlyThatOne() throws Exception {
        // an exchange that may only be used by the broker itself: publishing to it closes the channel
        broker.with(channel -> channel.exchangeDeclare("internal-" + target, "fanout", true, false, true, Map.of()));
        scenario.schedule(60, 10);
        scenario.startTimed(
                delivery -> new RabbitAddress(delivery.id().equals("task-29") ? "internal-" + target : target, target));
        scenario.awaitEmpty(Duration.ofSeconds(30));

        assertThat(scenario.awaitDead("task-29")).startsWith("refused for exchange 'internal-" + target + "': 403 ");
        assertThat(scenario.find("task-29").failures()).isEqualTo(3);
        assertThat(scenario.stats().dead()).isEqualTo(1);
        assertThat(broker.drainCounts(target)).hasSize(59);
    }

    @Test
    void deliverWhenTheHeadersDoNotFitIntoAFrameRejectsThatTaskAlone() throws Exception {
        scenario.schedule("good-1", "text/plain", Map.of(), "x");
        scenario.schedule("bad", "text/plain", Map.of("big", "x".repeat(200_000)), "x");
        scenario.schedule("good-2", "text/plain", Map.of(), "x");
        scenario.start(target, target);

        assertThat(scenario.awaitDead("bad")).startsWith("cannot be an AMQP message");
        scenario.awaitEmpty(Duration.ofSeconds(10));
        assertThat(broker.drainCounts(target)).isEqualTo(Map.of("good-1", 1, "good-2", 1));
    }

    @Test
    void deliverBringsEachOf5000TasksOnce() throws Exception {
        scenario.schedule(5_000, 100);
        scenario.start(target, target);
        scenario.awaitEmpty(Duration.ofSeconds(60));

        assertThat(broker.drainCounts(target))
                .hasSize(5_000)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
    }

    @Test
    void declarationWhenBrokerClosesTheConnectionOverItIsNotRepeatedWithinItself() throws Exception {
        // its user may declare
        try (Scenario declaring = new Scenario(redis, rabbit.uri())) {
            String name = "declared-" + UUID.randomUUID();
            AtomicInteger connections = new AtomicInteger();
            declaring.publisher.connectionFactory().addConnectionListener(connection -> connections.incrementAndGet());
            RabbitDeclarations.register(
                    declaring.publisher,
                    List.of(
                            new RabbitDeclaration("refused-" + name, "drect", null, ""),
                            new RabbitDeclaration(name, "topic", name, "orders.#")));
            declaring.schedule("a", "text/plain", Map.of(), "x");
            declaring.start(name, "orders.late");
            declaring.awaitEmpty(Duration.ofSeconds(10));

            assertThat(broker.drainCounts(name)).isEqualTo(Map.of("a", 1));
            assertThat(connections).hasValueLessThanOrEqualTo(2);
        }
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(id.indexOf('-') + 1));
    }
}
