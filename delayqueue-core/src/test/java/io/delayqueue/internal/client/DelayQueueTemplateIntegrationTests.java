// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TypedQueue;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.MessagePackPayloadCodec;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.transaction.ChangeResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;
import tools.jackson.databind.json.JsonMapper;

class DelayQueueTemplateIntegrationTests {

    private final StoreFixture redis = new StoreFixture();
    private final QueueCatalog queues = new QueueCatalog(
            List.of(queue("orders", 1, "json"), queue("wide", 8, "json"), queue("packed", 1, "msgpack")));
    private final DelayQueueTemplate template = new DelayQueueTemplate(
            redis.store(),
            queues,
            new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()), new MessagePackPayloadCodec())),
            TaskBounds.DEFAULT);
    private final TaskStoreAdmin admin = redis.admin(queues);

    @AfterEach
    void close() {
        redis.close();
    }

    record OrderTimeout(long order, String note) {}

    @Test
    void scheduleWhenGivenADelayIsDueThatMuchAfterTheServersClock() {
        long before = redis.serverMillis();
        String id = template.schedule(requestTo("orders", new OrderTimeout(7, "näh"), Duration.ofMinutes(15)))
                .id();
        long after = redis.serverMillis();

        FoundTask<OrderTimeout> task =
                template.find("orders", id, OrderTimeout.class).orElseThrow();
        assertThat(task.payload()).isEqualTo(new OrderTimeout(7, "näh"));
        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(task.dueAt().toEpochMilli()).isBetween(before + 900_000, after + 900_001);
        assertThat(task.nextAttentionAt()).isEqualTo(task.dueAt());
        assertThat(task.failures()).isZero();
        assertThat(task.lastReason()).isEmpty();
        assertThat(task.toString()).contains(id).doesNotContain("näh");
    }

    @Test
    void findWhenThePayloadIsOfAGenericTypeDecodesItsElements() throws Exception {
        var lines = new ParameterizedTypeReference<List<OrderTimeout>>() {};
        List<OrderTimeout> payload = List.of(new OrderTimeout(7, "a"), new OrderTimeout(8, "b"));
        template.queue("orders", lines).schedule("order-7", payload, Due.after(Duration.ofHours(1)));

        assertThat(template.find("orders", "order-7", lines).orElseThrow().payload())
                .isEqualTo(payload);
        assertThat(template.queue("orders", lines).find("order-7").orElseThrow().payload())
                .isEqualTo(payload);
        assertThat(template.async()
                        .find("orders", "order-7", lines)
                        .get(10, TimeUnit.SECONDS)
                        .orElseThrow()
                        .payload())
                .isEqualTo(payload);
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() ->
                        template.find("orders", "order-7", new ParameterizedTypeReference<Map<String, String>>() {}));
    }

    @Test
    void scheduleWhenGivenAnInstantIsDueThen() {
        Instant due = Instant.parse("2100-01-01T00:00:00.123Z");
        String id = template.schedule(requestTo("orders", "x", due)).id();
        assertThat(template.find("orders", id, String.class).orElseThrow().dueAt())
                .isEqualTo(due);
    }

    @Test
    void scheduleWhenTheSameRequestIsSentAgainAnswersAsTheFirstTimeAndStoresOnce() {
        ScheduleRequest<?> request = requestTo("orders", "x", Duration.ofHours(1));
        ScheduleResult first = template.schedule(request);
        assertThat(first.outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(template.schedule(request)).isEqualTo(first);
        assertThat(admin.stats("orders").delayed()).isEqualTo(1);
    }

    @Test
    void scheduleWhenTheIdExistsFollowsThePolicy() {
        Instant due = Instant.parse("2100-01-01T00:00:00Z");
        assertThat(put("a", due, ConflictPolicy.REPLACE)).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(put("a", due, ConflictPolicy.REPLACE)).isEqualTo(ScheduleOutcome.REPLACED);
        assertThat(put("a", due.minusMillis(1), ConflictPolicy.KEEP)).isEqualTo(ScheduleOutcome.KEPT);
        assertThat(put("a", due, ConflictPolicy.KEEP_EARLIER)).isEqualTo(ScheduleOutcome.KEPT);
        assertThat(put("a", due.minusMillis(1), ConflictPolicy.KEEP_EARLIER)).isEqualTo(ScheduleOutcome.REPLACED);
        assertThat(put("a", due.minusMillis(1), ConflictPolicy.KEEP_LATER)).isEqualTo(ScheduleOutcome.KEPT);
        assertThat(put("a", due, ConflictPolicy.KEEP_LATER)).isEqualTo(ScheduleOutcome.REPLACED);
        assertThat(admin.stats("orders").delayed()).isEqualTo(1);
    }

    private ScheduleResult index(String payload, Duration delay) {
        return template.schedule(ScheduleRequest.to("orders")
                .id("document")
                .payload(payload)
                .dueIn(delay)
                .debounce(Duration.ofHours(1))
                .build());
    }

    private ScheduleOutcome put(String id, Instant due, ConflictPolicy policy) {
        return template.schedule(ScheduleRequest.to("orders")
                        .id(id)
                        .payload("x")
                        .dueAt(due)
                        .onConflict(policy)
                        .build())
                .outcome();
    }

    @Test
    void scheduleWhenHeadersAreGivenKeepsThem() {
        String id = template.schedule(ScheduleRequest.to("orders")
                        .payload(new byte[] {1, 2, 3})
                        .header("tenant", "7")
                        .header("empty", "")
                        .header("note", "grüß dich")
                        .dueIn(Duration.ofHours(1))
                        .build())
                .id();
        FoundTask<byte[]> task = template.find("orders", id, byte[].class).orElseThrow();
        assertThat(task.headers())
                .containsExactly(Map.entry("tenant", "7"), Map.entry("empty", ""), Map.entry("note", "grüß dich"));
        assertThat(task.payload()).containsExactly(1, 2, 3);
    }

    @Test
    void cancelWhenTheTaskWaitsDeletesIt() {
        String id =
                template.schedule(requestTo("orders", "x", Duration.ofHours(1))).id();
        assertThat(template.cancel("orders", id)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(template.cancel("orders", id)).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(template.find("orders", id, String.class)).isEmpty();
    }

    @Test
    void cancelEverywhereWhenSeveralQueuesHoldTheIdCancelsEach() {
        for (String queue : List.of("orders", "wide")) {
            template.schedule(requestTo(queue, "a", "x", Duration.ofHours(1)));
        }
        assertThat(template.cancelEverywhere("a"))
                .containsExactly(
                        Map.entry("orders", CancelOutcome.CANCELLED),
                        Map.entry("wide", CancelOutcome.CANCELLED),
                        Map.entry("packed", CancelOutcome.NOT_FOUND));
    }

    @Test
    void cancelEverywhereWhenTheCallFailsForAQueueStillCancelsInTheOthers() {
        template.schedule(requestTo("wide", "a", "x", Duration.ofHours(1)));
        redis.damage(new Shard("orders", 0), "index");

        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() -> template.cancelEverywhere("a"))
                .withMessageContaining("orders");

        assertThat(template.find("wide", "a", String.class)).isEmpty();
    }

    @Test
    void rescheduleWhenTheTaskWaitsMovesIt() {
        String id =
                template.schedule(requestTo("orders", "x", Duration.ofHours(1))).id();
        Instant due = Instant.parse("2100-01-01T00:00:00Z");
        assertThat(template.reschedule("orders", id, Due.at(due))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(template.find("orders", id, String.class).orElseThrow().dueAt())
                .isEqualTo(due);
        assertThat(template.reschedule("orders", id, Due.after(Duration.ofMinutes(1))))
                .isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(template.find("orders", id, String.class).orElseThrow().dueAt())
                .isBefore(due);
        assertThat(template.reschedule("orders", "none", Due.at(due))).isEqualTo(RescheduleOutcome.NOT_FOUND);
    }

    @Test
    void callsWhenAKeyIsPartOfTheIdFindTheOneTaskByIt() {
        for (int i = 0; i < 50; i++) {
            ScheduleRequest.Builder<Object> request = ScheduleRequest.to("wide")
                    .id("task-" + i)
                    .key("customer")
                    .payload("x")
                    .dueIn(Duration.ofHours(1));
            String id = template.schedule(request.build()).id();
            assertThat(id).isEqualTo("{customer}:task-" + i);
            assertThat(template.schedule(request.build()).outcome()).isEqualTo(ScheduleOutcome.REPLACED);
            assertThat(template.schedule(request.id(id).build()).outcome()).isEqualTo(ScheduleOutcome.REPLACED);
        }
        assertThat(IntStream.range(0, 8)
                        .mapToObj(shard -> redis.index(new Shard("wide", shard)).size()))
                .as("all of the key are in one shard")
                .containsOnly(0, 50);
        for (int i = 0; i < 50; i++) {
            String id = TaskIds.of("customer", null, "task-" + i);
            assertThat(template.find("wide", id, String.class)).isPresent();
            assertThat(template.reschedule("wide", id, Due.after(Duration.ofHours(2))))
                    .isEqualTo(RescheduleOutcome.RESCHEDULED);
            assertThat(template.cancel("wide", id)).isEqualTo(CancelOutcome.CANCELLED);
            assertThat(template.cancel("wide", id)).isEqualTo(CancelOutcome.NOT_FOUND);
        }
    }

    @Test
    void scheduleAllWhenThereAreManyOverShardsReportsEachInOrder() {
        List<ScheduleRequest<?>> requests = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            requests.add(requestTo(i % 2 == 0 ? "wide" : "orders", "t" + i, "x", Duration.ofHours(1)));
        }
        List<ScheduleResult> results = template.scheduleAll(requests);
        assertThat(results)
                .extracting(ScheduleResult::id)
                .containsExactlyElementsOf(
                        requests.stream().map(ScheduleRequest::id).toList());
        assertThat(results).extracting(ScheduleResult::outcome).containsOnly(ScheduleOutcome.CREATED);
        assertThat(admin.stats("wide")).extracting(QueueStats::delayed).isEqualTo(1500L);
        assertThat(admin.stats("orders")).extracting(QueueStats::delayed).isEqualTo(1500L);
    }

    @Test
    void scheduleAllWhenOneIsBadRefusesAllBeforeAnythingIsSent() {
        List<ScheduleRequest<?>> requests =
                List.of(requestTo("orders", "x", Duration.ZERO), requestTo("orders", "with\ttab", "x", Duration.ZERO));
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> template.scheduleAll(requests));
        assertThat(admin.stats("orders").ready()).isZero();
    }

    @Test
    void updateWhenTheTaskWaitsKeepsItsDueTimeAndHeaders() {
        TypedQueue<OrderTimeout> orders = template.queue("orders", OrderTimeout.class);
        ScheduleResult stored = orders.schedule(orders.request(new OrderTimeout(1, "old"))
                .id("a")
                .dueIn(Duration.ofHours(1))
                .header("country", "de")
                .build());

        assertThat(orders.updatePayload("a", new OrderTimeout(1, "new"))).isEqualTo(UpdateOutcome.UPDATED);

        FoundTask<OrderTimeout> task = orders.find("a").orElseThrow();
        assertThat(task.payload().note()).isEqualTo("new");
        assertThat(task.headers()).containsOnly(Map.entry("country", "de"));
        assertThat(task.dueAt()).isEqualTo(stored.dueAt());
        orders.cancel("a");
        assertThat(orders.updatePayload("a", new OrderTimeout(1, "new"))).isEqualTo(UpdateOutcome.NOT_FOUND);
        assertThat(orders.find("a")).isEmpty();
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() ->
                        template.updatePayload("orders", "a", new byte[TaskBounds.DEFAULT.maxPayloadBytes() + 1]));
    }

    @Test
    void updateWhenItHasHeadersSetsAndRemovesThemAndKeepsTheOthers() {
        TypedQueue<String> orders = template.queue("orders", String.class);
        orders.schedule(orders.request("old")
                .id("a")
                .dueIn(Duration.ofHours(1))
                .headers(Map.of("country", "de", "note", "x", "tenant", "blue"))
                .build());

        Map<String, String> headers = new HashMap<>(Map.of("country", "fr", "note", ""));
        assertThat(orders.update("a", null, headers)).isEqualTo(UpdateOutcome.UPDATED);

        assertThat(orders.find("a").orElseThrow().payload()).isEqualTo("old");
        assertThat(orders.find("a").orElseThrow().headers())
                .containsOnly(entry("country", "fr"), entry("tenant", "blue"));
        assertThat(orders.update("a", "new", Map.of("tenant", ""))).isEqualTo(UpdateOutcome.UPDATED);
        assertThat(orders.find("a").orElseThrow().payload()).isEqualTo("new");
        assertThat(orders.find("a").orElseThrow().headers()).containsOnly(entry("country", "fr"));
        assertThat(template.async().update("orders", "a", null, Map.of("async", "yes")))
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(UpdateOutcome.UPDATED);
        assertThat(orders.find("a").orElseThrow().headers()).containsKeys("country", "async");
        assertThat(orders.update("b", null, Map.of("tenant", "x"))).isEqualTo(UpdateOutcome.NOT_FOUND);
    }

    @Test
    void updateWhenAHeaderIsInvalidOrTheHeadersWouldBeTooLargeIsRefused() {
        template.schedule(ScheduleRequest.to("orders", "x")
                .id("a")
                .dueIn(Duration.ofHours(1))
                .header("large", "x".repeat(TaskBounds.DEFAULT.maxHeaderBytes() - 5))
                .build());
        Map<String, String> before = template.find("orders", "a").orElseThrow().headers();
        for (Map<String, String> headers :
                List.of(Map.of("dq-type", "x"), Map.of("DQ-type", ""), Map.of("a b", "x"), Map.of("x", "y"))) {
            assertThatExceptionOfType(InvalidTaskException.class)
                    .as("%s", headers)
                    .isThrownBy(() -> template.update("orders", "a", "new", headers))
                    .withMessageContaining("'orders'");
        }
        FoundTask<String> task = template.find("orders", "a", String.class).orElseThrow();
        assertThat(task.payload()).isEqualTo("x");
        assertThat(task.headers()).isEqualTo(before);
    }

    @Test
    void callsForManyIdsReportEachOnceInTheirOrder() {
        for (int i = 0; i < 600; i++) {
            template.schedule(requestTo("wide", "t" + i, "x", Duration.ofHours(1)));
        }
        List<String> ids =
                new ArrayList<>(IntStream.range(0, 600).mapToObj(i -> "t" + i).toList());
        ids.add("absent");
        ids.add("t7");

        Map<String, RescheduleOutcome> moved = template.reschedule("wide", ids, Due.after(Duration.ofHours(2)));
        assertThat(moved.keySet()).containsExactlyElementsOf(new LinkedHashSet<>(ids));
        assertThat(moved.values())
                .filteredOn(outcome -> outcome == RescheduleOutcome.RESCHEDULED)
                .hasSize(600);
        assertThat(moved).containsEntry("absent", RescheduleOutcome.NOT_FOUND);
        assertThat(template.cancel("wide", ids).values())
                .filteredOn(outcome -> outcome == CancelOutcome.CANCELLED)
                .hasSize(600);
        assertThat(admin.stats("wide").delayed()).isZero();
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> template.cancel("wide", List.of("a", "")));
    }

    @Test
    void rescheduleWhenEachTaskHasADueTimeOfItsOwnGivesItThat() {
        Instant first = Instant.parse("2100-01-01T00:00:00Z");
        Map<String, Due> due = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            template.schedule(requestTo("wide", "t" + i, "x", Duration.ofHours(1)));
            due.put("t" + i, Due.at(first.plusSeconds(i)));
        }
        due.put("absent", Due.at(first));

        assertThat(template.reschedule("wide", due))
                .containsExactly(
                        entry("t0", RescheduleOutcome.RESCHEDULED),
                        entry("t1", RescheduleOutcome.RESCHEDULED),
                        entry("t2", RescheduleOutcome.RESCHEDULED),
                        entry("absent", RescheduleOutcome.NOT_FOUND));

        for (int i = 0; i < 3; i++) {
            assertThat(template.find("wide", "t" + i).orElseThrow().dueAt()).isEqualTo(first.plusSeconds(i));
        }
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> template.reschedule("wide", Map.of("t0", Due.at(first), "", Due.at(first))));
    }

    @Test
    void payloadWhenEncodedAlreadyPassesAsItIsAndIsFoundWithItsType() {
        EncodedPayload payload = new EncodedPayload("application/x-protobuf", new byte[] {8, 42});
        String id = template.schedule(requestTo("packed", payload, Duration.ofHours(1)))
                .id();

        EncodedPayload found = template.find("packed", id).orElseThrow().payload();

        assertThat(found).usingRecursiveComparison().isEqualTo(payload);
        String json = template.schedule(requestTo(
                        "packed",
                        new EncodedPayload(
                                "application/json", "{\"order\":3,\"note\":\"n\"}".getBytes(StandardCharsets.UTF_8)),
                        Duration.ofHours(1)))
                .id();
        assertThat(template.find("packed", json, OrderTimeout.class)
                        .orElseThrow()
                        .payload())
                .isEqualTo(new OrderTimeout(3, "n"));
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> new EncodedPayload("a\nb", new byte[0]));
    }

    @Test
    void scheduleWhenARequestIsBuiltAnewUnderItsNameStoresOnce() {
        ScheduleRequest.Builder<Object> request = ScheduleRequest.to("orders")
                .idempotencyKey("message-7")
                .payload("x")
                .dueIn(Duration.ofHours(1));
        ScheduleResult first = template.schedule(request.build());

        assertThat(template.schedule(request.dueIn(Duration.ofHours(2)).build()))
                .isEqualTo(first);

        assertThat(admin.stats("orders").delayed()).isEqualTo(1);
        assertThat(template.schedule(request.idempotencyKey("message-8").build())
                        .outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        ScheduleRequest.Builder<Object> named = request.id("mine").idempotencyKey("message-7");
        assertThat(template.schedule(named.build()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(template.schedule(named.build()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(template.schedule(named.idempotencyKey("message-9").build()).outcome())
                .isEqualTo(ScheduleOutcome.REPLACED);
    }

    @Test
    void typedQueueWhenGivenRequestsTakesHeadersPoliciesAndLists() {
        TypedQueue<OrderTimeout> orders = template.queue("orders", OrderTimeout.class);
        OrderTimeout payload = new OrderTimeout(1, "n");
        ScheduleRequest.Builder<OrderTimeout> request = orders.request(payload)
                .id("a")
                .dueIn(Duration.ofHours(1))
                .header("country", "de")
                .onConflict(ConflictPolicy.KEEP);

        assertThat(orders.schedule(request.build()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(orders.scheduleAll(List.of(request.build(), request.id("b").build())))
                .extracting(ScheduleResult::outcome)
                .containsExactly(ScheduleOutcome.KEPT, ScheduleOutcome.CREATED);
        assertThat(orders.find("b").orElseThrow().headers()).containsEntry("country", "de");

        ScheduleRequest<OrderTimeout> foreign = template.queue("wide", OrderTimeout.class)
                .request(payload)
                .dueIn(Duration.ZERO)
                .build();
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> orders.schedule(foreign));
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> orders.scheduleAll(List.of(request.id("c").build(), foreign)));
        assertThat(orders.find("c")).isEmpty();
    }

    private static QueueSettings queue(String name, int shards, String codec) {
        return QueueSettingsBuilder.of(name).shards(shards).codec(codec).build();
    }

    @Test
    void changesWhenTheServerIsFullAreMadeAsFarAsTheyNeedNoMemory() {
        template.schedule(requestTo("orders", "paid", "x", Duration.ofHours(1)));
        redis.setFull(true);
        try {
            List<ChangeResult> results = template.changes()
                    .carryOut(List.of(
                            template.changes().schedule(requestTo("orders", "new", "x", Duration.ofHours(1))),
                            template.changes().cancel("orders", "paid")));

            assertThat(results.get(0).error()).isInstanceOf(TaskStoreFullException.class);
            assertThat(results.get(1).outcome()).isEqualTo(CancelOutcome.CANCELLED);
        } finally {
            redis.setFull(false);
        }
        assertThat(template.find("orders", "paid")).isEmpty();
    }
}
