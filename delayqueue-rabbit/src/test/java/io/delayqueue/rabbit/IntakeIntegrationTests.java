// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.LongStringHelper;
import io.delayqueue.Due;
import io.delayqueue.ListedTask;
import io.delayqueue.internal.rabbit.intake.Intake;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages that an intake takes from a real RabbitMQ, and the messages that come of them. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class IntakeIntegrationTests {

    private final RedisServer redis;
    private final RabbitServer rabbit;
    private IntakeScene scene;

    IntakeIntegrationTests(RedisServer redis, RabbitServer rabbit) throws Exception {
        this.redis = redis;
        this.rabbit = rabbit;
        this.scene = new IntakeScene(redis, rabbit.uri(), false);
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void messageWhenDueIsPublishedExactlyAsItCame() throws Exception {
        scene.startIntakeAndAwait();
        scene.startTrigger();
        String consumer = scene.bindConsumer();
        Map<String, Object> headers = new HashMap<>();
        headers.put("x-delay", 300);
        headers.put("text", LongStringHelper.asLongString("Grüße"));
        headers.put("binary-text", LongStringHelper.asLongString(new byte[] {(byte) 0xff, 0, 1}));
        headers.put("byte", (byte) -3);
        headers.put("short", (short) 300);
        headers.put("long", 1L << 40);
        headers.put("float", 1.5f);
        headers.put("double", Math.PI);
        headers.put("decimal", new BigDecimal("12.34"));
        headers.put("flag", true);
        headers.put("nothing", null);
        headers.put("time", new Date(1_700_000_000_000L));
        headers.put("bytes", new byte[] {1, 2, 3});
        headers.put("list", List.of(1, LongStringHelper.asLongString("two"), List.of(3L)));
        headers.put("table", Map.of("deep", Map.of("deeper", 7L)));
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .headers(headers)
                .contentType("application/x-odd; charset=ä")
                .contentEncoding("gzip")
                .deliveryMode(1)
                .priority(4)
                .correlationId("c-1")
                .replyTo("answers")
                .expiration("60000")
                .messageId("m-1")
                .timestamp(new Date(1_600_000_000_000L))
                .type("Order")
                .appId("shop")
                .build();
        Instant before = Instant.now();
        scene.publish("order.Ä.created", "body\0ÿ", properties);

        GetResponse got = scene.awaitMessages(consumer, 1).get(0);

        assertThat(Instant.now()).isAfterOrEqualTo(before.plusMillis(300));
        assertThat(got.getBody()).isEqualTo("body\0ÿ".getBytes(StandardCharsets.UTF_8));
        assertThat(got.getEnvelope().getRoutingKey()).isEqualTo("order.Ä.created");
        assertThat(got.getEnvelope().getExchange()).isEqualTo(scene.settings.exchange());
        Map<String, Object> gotHeaders = got.getProps().getHeaders();
        assertThat((byte[]) gotHeaders.get("bytes")).containsExactly(1, 2, 3);
        assertThat(((LongString) gotHeaders.get("binary-text")).getBytes()).containsExactly(0xff, 0, 1);
        Map<String, Object> expected = new HashMap<>(headers);
        expected.remove("bytes");
        gotHeaders = new HashMap<>(gotHeaders);
        gotHeaders.remove("bytes");
        assertThat(gotHeaders).isEqualTo(expected);
        assertThat(got.getProps().builder().headers(null).build())
                .isEqualTo(properties.builder().headers(null).build());
    }

    @Test
    void messageWhenTaskHeadersAreAskedForIdentifiesItsTaskAndKeepsItsMessageId() throws Exception {
        scene.close();
        scene = new IntakeScene(redis, rabbit.uri(), true);
        scene.startIntakeAndAwait();
        scene.startTrigger();
        String consumer = scene.bindConsumer();
        scene.publish(
                "a",
                "x",
                new AMQP.BasicProperties.Builder()
                        .messageId("mine")
                        .headers(Map.of("x-delay", 10, "x-delay-id", "task-7"))
                        .build());

        AMQP.BasicProperties got = scene.awaitMessages(consumer, 1).get(0).getProps();

        assertThat(got.getMessageId()).isEqualTo("mine");
        assertThat(got.getHeaders().get(RabbitHeaders.ID)).hasToString("task-7");
        assertThat(got.getHeaders())
                .containsKeys(RabbitHeaders.TASK_KEY, RabbitHeaders.FENCING_TOKEN, "x-delay")
                .containsEntry(RabbitHeaders.ATTEMPT, 1);
    }

    @Test
    void delayWhenOfATypeThatThePluginTakesIsTheSameHere() throws Exception {
        scene.startIntakeAndAwait();
        long hour = 3_600_000;
        Map<String, Object> delayed = new LinkedHashMap<>();
        delayed.put("int", (int) hour);
        delayed.put("long", hour);
        delayed.put("short", (short) 30_000);
        delayed.put("beyond-32-bits", (1L << 32) + hour);
        delayed.put("text", "3600000");
        delayed.put("plus", "+3600000");
        delayed.put("zeros", "003600000");
        delayed.put("double", 3_600_000.9);
        delayed.put("float", 3_600_000f);
        Map<String, Object> atOnce = new LinkedHashMap<>();
        atOnce.put("negative", -5);
        atOnce.put("negative-text", "-5");
        atOnce.put("zero", 0);
        atOnce.put("bool", true);
        atOnce.put("table", Map.of("a", 1));
        atOnce.put("list", List.of(5));
        atOnce.put("time", new Date());
        atOnce.put("bytes", new byte[] {53});
        atOnce.put("null", null);
        for (Map<String, Object> all : List.of(delayed, atOnce)) {
            for (Map.Entry<String, Object> each : all.entrySet()) {
                Map<String, Object> headers = new HashMap<>();
                headers.put("x-delay", each.getValue());
                headers.put("x-delay-id", each.getKey());
                scene.publish("k", "b", headers);
            }
        }
        scene.publish("k", "b", Map.of("x-delay-id", "missing"));
        scene.awaitStored(delayed.size() + atOnce.size() + 1);

        Instant soon = Instant.now().plusSeconds(10);
        Map<String, Instant> due = new HashMap<>();
        scene.tasks().forEach(task -> due.put(task.id(), task.dueAt()));
        assertThat(delayed.keySet()).allSatisfy(id -> assertThat(due.get(id)).isAfter(soon));
        assertThat(due.get("beyond-32-bits")).isAfter(soon.plus(Duration.ofDays(49)));
        assertThat(atOnce.keySet()).allSatisfy(id -> assertThat(due.get(id)).isBefore(soon));
        assertThat(due.get("missing")).isBefore(soon);
    }

    @Test
    void timeWhenGivenAsMillisecondsTextOrTimestampIsTheDueTime() throws Exception {
        scene.startIntakeAndAwait();
        Instant due = Instant.now().plusSeconds(3600).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
        scene.publish("k", "b", Map.of("x-delay-until", due.toEpochMilli(), "x-delay-id", "long"));
        scene.publish("k", "b", Map.of("x-delay-until", "" + due.toEpochMilli(), "x-delay-id", "text"));
        scene.publish("k", "b", Map.of("x-delay-until", Date.from(due), "x-delay-id", "timestamp"));
        scene.publish("k", "b", Map.of("x-opt-delivery-time", due.toEpochMilli(), "x-delay-id", "broker"));
        scene.awaitStored(4);

        assertThat(scene.tasks()).extracting(ListedTask::dueAt).containsOnly(due);
    }

    @Test
    void messageWhenItCannotBeStoredGoesToTheQueueForRejectedOnesWithTheReasonAndTheOthersAreStored() throws Exception {
        Intake intake = scene.startIntakeAndAwait();
        Map<String, Object> far = Map.of("x-delay", 3_600_000);
        scene.publish("soon", "b", Map.of("x-delay", "soon"));
        scene.publish("decimal", "b", Map.of("x-delay", new BigDecimal("800.5")));
        scene.publish("never", "b", Map.of("x-delay", Long.MAX_VALUE));
        scene.publish("too late", "b", Map.of("x-delay", Due.MAX_EPOCH_MILLIS)); // only Redis knows
        scene.publish("large", "b".repeat(300_000), far);
        scene.publish("id", "b", Map.of("x-delay", 5, "x-delay-id", "no\ttabs"));
        scene.publish("cancel", "b", Map.of("x-delay-cancel", true));
        scene.publish(
                "expires",
                "b",
                new AMQP.BasicProperties.Builder()
                        .headers(Map.of("x-delay", "never"))
                        .expiration("1")
                        .build());
        scene.publish("good", "b", far);

        List<GetResponse> rejected = scene.awaitMessages(scene.settings.rejectedQueue(), 8);

        scene.awaitStored(1);
        Map<String, String> reasons = new HashMap<>();
        rejected.forEach(message -> {
            Map<String, Object> headers = message.getProps().getHeaders();
            reasons.put(
                    headers.get(RabbitHeaders.REJECTED_ROUTING_KEY).toString(),
                    headers.get(RabbitHeaders.REJECTED_REASON).toString());
            assertThat(headers.get(RabbitHeaders.REJECTED_EXCHANGE)).hasToString(scene.exchange);
        });
        assertThat(reasons.get("soon")).isEqualTo("its header x-delay must be a whole number of milliseconds");
        assertThat(reasons.get("never")).isEqualTo("its header x-delay extends beyond the year 9999");
        assertThat(reasons.get("large")).contains("300000 bytes").contains("delayqueue.max-payload-size");
        assertThat(reasons.get("id")).contains("has a control character");
        assertThat(reasons.get("cancel")).isEqualTo("it has x-delay-cancel but no x-delay-id");
        assertThat(reasons.get("too late")).contains("9999");
        assertThat(reasons).containsKeys("decimal", "expires");
        assertThat(rejected.stream()
                        .filter(message -> message.getBody().length == 300_000)
                        .count())
                .isEqualTo(1);
        assertThat(scene.broker.count(scene.settings.queue())).isZero();
        assertThat(intake.problem()).isNull();
    }

    @Test
    void laterMessagesOfOneIdReplaceAndCancelTheTaskInTheOrderOfPublishing() throws Exception {
        String consumer = prepared();
        Map<String, Object> later = Map.of("x-delay", 1000, "x-delay-id", "order");
        scene.publish("k", "first", Map.of("x-delay", 700, "x-delay-id", "replaced"));
        scene.publish("k", "second", Map.of("x-delay", 900, "x-delay-id", "replaced"));
        scene.publish("k", "cancelled", later);
        scene.publish("k", "never-published", Map.of("x-delay-cancel", true, "x-delay-id", "order"));
        for (int i = 0; i < 200; i++) {
            scene.publish("k", "cancelled", Map.of("x-delay", 1000, "x-delay-id", "many-" + i));
            scene.publish("k", "never-published", Map.of("x-delay-cancel", "true", "x-delay-id", "many-" + i));
        }
        scene.publish("k", "back", Map.of("x-delay", 1200, "x-delay-id", "order"));

        assertThat(scene.awaitBodies(consumer, 2)).containsExactly("second", "back");
        scene.awaitStored(0); // so nothing can arrive later
        assertThat(scene.broker.count(consumer)).isZero();
    }

    @Test
    void messagesWithEqualDelaysWhenTheyFillSeveralCallsAreDueInTheOrderOfPublishing() throws Exception {
        Intake intake = scene.startIntakeAndAwait();
        intake.stop();
        List<String> ids = new ArrayList<>();
        for (int i = 1000; i < 1300; i++) {
            ids.add("m-" + i);
            String body = (i % 8 == 0) ? "b".repeat(200_000) : "b";
            scene.publish("k", body, Map.of("x-delay", 3_600_000, "x-delay-id", "m-" + i));
        }
        scene.awaitConfirms();

        intake.start();

        scene.awaitStored(300);
        assertThat(scene.tasks()).extracting(ListedTask::id).containsExactlyElementsOf(ids);
    }

    @Test
    void messagesOfAGroupBelongToItAndACancelNamesTheSameGroup() throws Exception {
        scene.startIntakeAndAwait();
        Map<String, Object> grouped = Map.of("x-delay", 3_600_000, "x-delay-group", "order:7");
        scene.publish("k", "a", with(grouped, "x-delay-id", "reminder"));
        scene.publish("k", "b", with(grouped, "x-delay-id", "expiry"));
        scene.publish("k", "c", grouped);
        scene.publish("k", "d", Map.of("x-delay", 3_600_000, "x-delay-id", "reminder"));
        scene.awaitStored(4);

        scene.publish("k", "", Map.of("x-delay-cancel", true, "x-delay-group", "order:7", "x-delay-id", "reminder"));

        scene.awaitStored(3);
        assertThat(scene.tasks()).extracting(ListedTask::id).contains("reminder", "{order:7}~expiry");
        assertThat(scene.template.group(scene.settings.delayQueue(), "order:7").cancel())
                .isNotNull();
        scene.awaitStored(1);
    }

    @Test
    void messagesWithAKeyBelongToItAndACancelNamesTheSameKey() throws Exception {
        scene.startIntakeAndAwait();
        for (String key : List.of("clinic-1", "clinic-2")) {
            scene.publish("k", "a", Map.of("x-delay", 3_600_000, "x-delay-key", key, "x-delay-id", "visit"));
        }
        scene.awaitStored(2);

        scene.publish("k", "", Map.of("x-delay-cancel", true, "x-delay-key", "clinic-1", "x-delay-id", "visit"));

        scene.awaitStored(1);
        assertThat(scene.tasks()).extracting(ListedTask::id).containsExactly("{clinic-2}:visit");
    }

    @Test
    void queueForRejectedMessagesWhenItIsDeletedIsDeclaredAgain() throws Exception {
        Intake intake = scene.startIntakeAndAwait();
        scene.broker.delete(scene.settings.rejectedQueue());

        scene.publish("soon", "b", Map.of("x-delay", "soon"));
        scene.publish("good", "b", Map.of("x-delay", 3_600_000));

        await().ignoreExceptions().until(() -> scene.broker.count(scene.settings.rejectedQueue()) == 1);
        scene.awaitStored(1);
        await().until(() -> intake.problem() == null);
    }

    @Test
    void messageWhenItsHeadersFillAFrameIsRejectedWithoutTheReason() throws Exception {
        Intake intake = scene.startIntakeAndAwait();
        scene.publish("full", "b", Map.of("x-delay", "soon", "long", "x".repeat(130_980)));
        scene.awaitConfirms();

        GetResponse rejected =
                scene.awaitMessages(scene.settings.rejectedQueue(), 1).get(0);

        assertThat(rejected.getProps().getHeaders())
                .containsKeys("x-delay", "long")
                .doesNotContainKey(RabbitHeaders.REJECTED_REASON);
        await().until(() -> intake.problem() == null);
        assertThat(scene.broker.count(scene.settings.queue())).isZero();
    }

    @Test
    void redeliveredMessagesWithAMessageIdAreStoredOnceAndOthersAreNot() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean loseAcks = new AtomicBoolean(true);
        Intake intake = scene.startIntake(changes -> IntakeScene.around(changes, batch -> {
            List<ChangeResult> results = changes.carryOut(batch);
            calls.incrementAndGet();
            if (loseAcks.getAndSet(false)) {
                throw new IllegalStateException("the process dies between the store and the acknowledgement");
            }
            return results;
        }));
        await().atMost(Duration.ofSeconds(30)).until(() -> intake.problem() == null);
        AMQP.BasicProperties named = new AMQP.BasicProperties.Builder()
                .messageId("m-1")
                .headers(Map.of("x-delay", 3_600_000))
                .build();
        scene.publish("k", "same", named);
        await().until(() -> calls.get() == 2);
        scene.awaitStored(1); // stored, not acknowledged, redelivered: one task

        scene.publish("k", "same", named); // a second message, not a redelivery
        scene.publish("k", "other body", named);
        scene.publish("other key", "same", named);
        scene.publish("k", "same", named.builder().priority(3).build());
        scene.awaitStored(5);

        assertThat(scene.tasks()).extracting(ListedTask::id).doesNotHaveDuplicates();
    }

    @Test
    void messagesWhenRedisIsAwayStayInTheBrokerInTheirOrderHoweverOftenTheyAreTried() throws Exception {
        scene.close();
        try (RedisServer own = RedisServer.installed().start()) {
            scene = new IntakeScene(own, rabbit.uri(), false);
            Intake intake = scene.startIntakeAndAwait();
            String consumer = scene.bindConsumer();
            own.kill();
            for (int i = 0; i < 50; i++) {
                scene.publish("k", "m-" + i, Map.of("x-delay", 1));
            }
            scene.awaitConfirms();
            await().atMost(Duration.ofSeconds(30)).until(() -> intake.problem() != null);
            assertThat(intake.problem()).startsWith("cannot store messages; they stay in the queue");
            for (int tries = 0; tries < 25; tries++) { // each gives all messages back to the queue
                intake.stop();
                intake.start();
                await().atMost(Duration.ofSeconds(30)).until(() -> scene.broker.count(scene.settings.queue()) == 0);
            }
            own.start();
            scene.startTrigger();

            List<String> bodies = scene.awaitBodies(consumer, 50);

            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                expected.add("m-" + i);
            }
            assertThat(bodies.stream().distinct().toList()).isEqualTo(expected);
            assertThat(scene.broker.count(scene.settings.rejectedQueue())).isZero();
            await().until(() -> intake.problem() == null);
            scene.close();
        }
        scene = new IntakeScene(redis, rabbit.uri(), false);
    }

    @Test
    void messagesWhenTheBrokerIsKilledRightAfterItsConfirmsAreAllPublished() throws Exception {
        scene.close();
        try (RabbitServer own = RabbitServer.installed().start()) {
            scene = new IntakeScene(redis, own.uri(), false);
            scene.startIntakeAndAwait();
            String consumer = scene.bindConsumer();
            TimeUnit.SECONDS.sleep(3); // until the broker has written the declarations
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                expected.add("m-" + i);
                scene.publish(
                        "k",
                        "m-" + i,
                        new AMQP.BasicProperties.Builder()
                                .deliveryMode(2)
                                .headers(Map.of("x-delay", 2_000))
                                .build());
            }
            scene.awaitConfirms();
            own.kill();
            own.start();
            scene.startTrigger();

            assertThat(scene.awaitBodies(consumer, 50)).containsAll(expected);

            scene.close();
        }
        scene = new IntakeScene(redis, rabbit.uri(), false);
    }

    @Test
    void messageWhenNoQueueTakesItWhenDueIsDeadAndNotLost() throws Exception {
        scene.startIntakeAndAwait();
        scene.startTrigger();
        String consumer = scene.bindConsumer();
        scene.broker.with(channel -> channel.queueUnbind(consumer, scene.settings.exchange(), "#"));
        scene.broker.with(channel -> channel.queueBind(consumer, scene.settings.exchange(), "bound"));
        // an older message of the library: its headers name another task
        Map<String, Object> foreign = Map.of(
                "x-delay", 1, RabbitHeaders.FENCING_TOKEN, 1L, RabbitHeaders.ID, "other", "bytes", new byte[] {7});
        for (String key : List.of("bound", "unbound", "bound", "unbound")) {
            scene.publish(key, "same body", foreign);
        }

        assertThat(scene.awaitBodies(consumer, 2)).hasSize(2);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> scene.admin.stats(scene.settings.delayQueue()).dead() == 2);
    }

    @Test
    void messageWhenItNamesAUserWhoIsNotThePublishersIsPublishedWithoutThatUser() throws Exception {
        scene.startIntakeAndAwait();
        String consumer = scene.bindConsumer();
        scene.publish(
                "k", "b", new AMQP.BasicProperties.Builder().userId("guest").build());
        scene.awaitStored(1);
        scene.startTrigger(rabbit.publisherUri());

        assertThat(scene.awaitMessages(consumer, 1).get(0).getProps().getUserId())
                .isNull();
    }

    @Test
    void secondIntakeWhenTheFirstStopsGoesOnInOrder() throws Exception {
        Intake first = scene.startIntakeAndAwait();
        scene.startIntakeAndAwait();
        scene.startTrigger();
        String consumer = scene.bindConsumer();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            scene.publish("k", "" + i, Map.of("x-delay", 4000, "x-delay-id", "id-" + i));
            if (i % 2 == 1) {
                scene.publish("k", "", Map.of("x-delay-cancel", true, "x-delay-id", "id-" + i));
            } else {
                expected.add("" + i);
            }
            if (i == 700) {
                first.stop();
            }
        }

        List<String> bodies = scene.awaitBodies(consumer, 1000);

        assertThat(bodies).containsExactlyInAnyOrderElementsOf(expected);
    }

    private String prepared() throws Exception {
        scene.startIntakeAndAwait();
        scene.startTrigger();
        return scene.bindConsumer();
    }

    private static Map<String, Object> with(Map<String, Object> headers, String name, Object value) {
        Map<String, Object> all = new HashMap<>(headers);
        all.put(name, value);
        return all;
    }
}
