// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static io.delayqueue.internal.control.ControlScene.TASKS;
import static io.delayqueue.internal.control.ControlScene.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading a queue and changing single tasks, within the caller's permissions. */
class QueueControlIntegrationTests {

    private final ControlScene scene = new ControlScene(
            task -> new String(task.payload().bytes(), StandardCharsets.UTF_8).replace("secret", "shown"));
    private final QueueControl control = scene.control;

    @AfterEach
    void close() {
        scene.close();
    }

    private static List<String> ids(int step) {
        return IntStream.range(0, TASKS)
                .filter(i -> i % step == 0)
                .mapToObj(ControlScene::id)
                .toList();
    }

    @Test
    void queuesWhenReadShowCountsAndWhatTheCallerMay() {
        scene.schedule();
        scene.makeDead(List.of("a", "b"));

        assertThat(control.queues(EVE).found()).singleElement().satisfies(queue -> {
            assertThat(queue.delayed()).isEqualTo(TASKS);
            assertThat(queue.dead()).isEqualTo(2);
            assertThat(queue.nextAttentionAt()).isEqualTo(at(0));
            assertThat(queue.shards()).isEqualTo(ControlScene.SHARDS);
            assertThat(queue.permissions()).isEqualTo(ControlScene.EVERYTHING);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 500})
    void tasksWhenTurnedShowEachThatIsLetThroughOnce(int size) {
        scene.schedule();

        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL, size)).containsExactlyInAnyOrderElementsOf(ids(1));
        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL.withIdPrefix("vip-"), size))
                .containsExactlyInAnyOrderElementsOf(ids(3));
        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL.withHeader("tenant", "acme"), size))
                .containsExactlyInAnyOrderElementsOf(ids(2));
        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL.between(at(0), at(10)), size))
                .containsExactlyInAnyOrderElementsOf(ids(1).subList(0, 10));
        assertThat(scene.pages(TaskState.LEASED, TaskFilter.ALL, size)).isEmpty();
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, size)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 500})
    void deadTasksWhenTurnedShowEachThatIsLetThroughOnce(int size) {
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "d" + i).toList();
        scene.makeDead(ids);

        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL.withReason("out of"), size))
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL.withIdPrefix("d3"), size))
                .containsExactlyInAnyOrderElementsOf(
                        ids.stream().filter(id -> id.startsWith("d3")).toList());
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL.withReason("another"), size))
                .isEmpty();
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL.withHeader("tenant", "acme"), size))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 500})
    void deadTasksWhenOnlyTheEarlierOnesAreAskedForAreThoseOfEveryShard(int size) {
        for (int i = 0; i < 600; i++) {
            scene.redis.putDead(new Shard(QUEUE, 0), "a" + i, 1000 * i);
        }
        scene.redis.putDead(new Shard(QUEUE, 2), "b", 2000);
        scene.redis.putDead(new Shard(QUEUE, 3), "c", 3000);

        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL.between(null, Instant.ofEpochMilli(3000)), size))
                .containsExactly("a2", "b", "a1", "a0");
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 500})
    void deadTasksWhenOnlyTheLaterOnesAreAskedForAreTheNewestFirst(int size) {
        for (int i = 0; i < 600; i++) {
            scene.redis.putDead(new Shard(QUEUE, i % ControlScene.SHARDS), "a" + i, 1000 * i);
        }

        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL.between(Instant.ofEpochMilli(597_000), null), size))
                .containsExactly("a599", "a598", "a597");
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, size).subList(0, 10))
                .isEqualTo(IntStream.range(0, 10).mapToObj(i -> "a" + (599 - i)).toList());
    }

    @Test
    void redriveFirstRedrivesTheNewestThatMatchAndLeavesAnEntry() {
        scene.makeDead(IntStream.range(0, 12).mapToObj(i -> "d" + i).toList());
        List<String> newest = scene.pages(TaskState.DEAD, TaskFilter.ALL, 500).subList(0, 10);

        assertThat(control.changes().redriveFirst(EVE, QUEUE, TaskFilter.ALL.withReason("out of"), 10))
                .isEqualTo(10);
        assertThat(control.changes().redriveFirst(EVE, QUEUE, TaskFilter.ALL.withReason("another"), 10))
                .isZero();

        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL, 500)).containsExactlyInAnyOrderElementsOf(newest);
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, 500)).hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.changes().redriveFirst(EVE, QUEUE, TaskFilter.ALL, 501));
    }

    /** Otherwise the entry would say that nothing was changed. */
    @Test
    void redriveFirstWhenAShardFailsHasTheNumberOfTheOthersInItsEntry() {
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "d" + i).toList();
        scene.makeDead(ids);
        int last = ControlScene.SHARDS - 1;
        long others =
                ids.stream().filter(id -> ControlScene.home(id).index() != last).count();
        scene.redis.damage(new Shard(QUEUE, last), "index");

        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() -> control.changes().redriveFirst(EVE, QUEUE, TaskFilter.ALL, 40))
                .matches(TaskStoreException::mayHaveBeenApplied);

        assertThat(scene.audit).last().satisfies(entry -> {
            assertThat(entry.outcome()).startsWith("failed: ");
            assertThat(entry.count()).isEqualTo(others).isPositive();
        });
    }

    @Test
    void purgeWhenAShardFailsHasTheNumberOfDeletedTasksInItsEntry() {
        scene.schedule();
        int last = ControlScene.SHARDS - 1;
        long others = ids(1).stream()
                .filter(id -> ControlScene.home(id).index() != last)
                .count();
        scene.redis.damage(new Shard(QUEUE, last), "attempts");

        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() -> control.changes().purge(EVE, QUEUE, QUEUE))
                .matches(TaskStoreException::mayHaveBeenApplied);

        assertThat(scene.audit)
                .last()
                .satisfies(entry -> assertThat(entry.outcome())
                        .startsWith("failed: ")
                        .endsWith("(the call deleted " + others + " tasks)"));
    }

    /** Otherwise each task would cost a call. */
    @Test
    void tasksWhenFilteredByAHeaderAreReadWithTheirHeaders() {
        scene.schedule();
        long before = scene.redis.scriptCalls();

        assertThat(control.tasks(
                                EVE, QUEUE, TaskState.SCHEDULED, TaskFilter.ALL.withHeader("tenant", "acme"), 500, null)
                        .tasks())
                .hasSize(TASKS / 2);

        assertThat(scene.redis.scriptCalls() - before).isLessThanOrEqualTo(3L * ControlScene.SHARDS);
    }

    @Test
    void totalWhenOnlyAPeriodOrRetriesAreChosenIsCounted() {
        scene.schedule();
        scene.template.schedule(requestTo(QUEUE, "tried", "x", Instant.EPOCH));
        scene.fail("tried");

        assertThat(total(TaskFilter.ALL)).isEqualTo(TASKS + 1);
        assertThat(total(TaskFilter.ALL.between(at(10), at(30)))).isEqualTo(20);
        assertThat(total(TaskFilter.ALL.between(at(10), null))).isEqualTo(TASKS - 10);
        assertThat(total(TaskFilter.ALL.onlyRetrying())).isEqualTo(1);
        assertThat(total(TaskFilter.ALL.between(at(0), null).onlyRetrying())).isZero();
        assertThat(total(TaskFilter.ALL.withIdPrefix("vip-"))).isNull();
        assertThat(control.total(EVE, QUEUE, TaskState.DEAD, TaskFilter.ALL.between(null, at(0))))
                .isNull();
    }

    private @Nullable Long total(TaskFilter filter) {
        return control.total(EVE, QUEUE, TaskState.SCHEDULED, filter);
    }

    @Test
    void tasksWhenLeasedAreInPagesOfTheirOwn() {
        scene.schedule();
        scene.redis.makeDead(new Shard(QUEUE, 0), List.of("gone"));
        scene.template.schedule(requestTo(QUEUE, "x", Duration.ZERO));
        String leased = scene.pages(TaskState.SCHEDULED, TaskFilter.ALL.between(null, at(-1)), 10)
                .get(0);
        int home = Sharding.initial(ControlScene.SHARDS).homeOf(leased);
        scene.redis
                .store()
                .leases()
                .acquire(new Shard(QUEUE, home), Acquires.of(1, Duration.ofMinutes(1), 10, 1 << 20, 1))
                .join();

        assertThat(scene.pages(TaskState.LEASED, TaskFilter.ALL, 10)).containsExactly(leased);
        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL, 10)).doesNotContain(leased);
    }

    @Test
    void tasksWhenThePlaceToGoOnIsInventedAreRefused() {
        for (String after : List.of("", "x", "\u00e9", "a".repeat(100_000), "AAAA", "ADEAIAAyACAAMw==!")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.tasks(EVE, QUEUE, TaskState.DEAD, TaskFilter.ALL, 10, after));
        }
        String behindAllShards = new TaskPosition(Integer.MAX_VALUE, at(0), "x").text();
        assertThat(control.tasks(EVE, QUEUE, TaskState.DEAD, TaskFilter.ALL, 10, behindAllShards)
                        .tasks())
                .isEmpty();
    }

    @Test
    void tasksWhenSomethingElseLeftTheirIdsAreShownInTextThatAnyEncodingCarries() {
        scene.redis.putDead(new Shard(QUEUE, 1), "a\u00ff\r\nb", 1);

        assertThat(control.tasks(EVE, QUEUE, TaskState.DEAD, TaskFilter.ALL, 10, null)
                        .tasks())
                .singleElement()
                .satisfies(task -> assertThat(task.id()).matches("[ -~]+"));
    }

    @Test
    void deadTasksWhenSomethingElseLeftTheirIdsAreTurnedToTheEnd() {
        for (int i = 0; i < 5; i++) {
            scene.redis.putDead(new Shard(QUEUE, 1), "a\u00ff" + i, 1);
        }
        scene.makeDead(List.of("z"));

        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, 1)).hasSize(6).doesNotHaveDuplicates();
    }

    /** A search by header reads payloads too. Otherwise a page would read all of these at once. */
    @Test
    void pageWhenPayloadsAreLargeEndsAfterSomeMegabytes() {
        scene.template.scheduleAll(IntStream.range(0, 60)
                .mapToObj(i -> ScheduleRequest.to(QUEUE)
                        .id("large-" + i)
                        .payload("x".repeat(250_000))
                        .header("tenant", "acme")
                        .dueAt(ControlScene.FIRST)
                        .build())
                .toList());
        TaskFilter filter = TaskFilter.ALL.withHeader("tenant", "acme");

        TaskViews page = control.tasks(EVE, QUEUE, TaskState.SCHEDULED, filter, 500, null);

        assertThat(page.tasks()).hasSizeBetween(10, 40);
        assertThat(page.next()).isNotNull();
        assertThat(scene.pages(TaskState.SCHEDULED, filter, 500)).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    void payloadWhenNotPermittedIsHidden() {
        scene.schedule();

        assertThat(control.task(EVE, QUEUE, "t-1").orElseThrow().payload())
                .isEqualTo(new TaskDetails.Payload("text/plain;charset=UTF-8", 8, "shown-1", null));
        scene.permissions = EnumSet.of(QueuePermission.READ, QueuePermission.OPERATE);
        TaskDetails hidden = control.task(EVE, QUEUE, "t-1").orElseThrow();
        assertThat(hidden.payload().text()).isNull();
        assertThat(hidden.headers()).containsEntry("tenant", "other");
        assertThat(hidden.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(control.find(EVE, "t-1").found()).containsExactly(hidden);
        assertThat(control.task(EVE, QUEUE, "none")).isEmpty();
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> control.find(EVE, "a\tb"));
    }

    /** The message of an exception may contain data of the payload. */
    @Test
    void stackTraceWhenPayloadsAreNotPermittedIsHidden() {
        scene.template.schedule(requestTo(QUEUE, "tried", "x", Instant.EPOCH));
        scene.fail("tried");

        assertThat(control.task(EVE, QUEUE, "tried").orElseThrow().stackTrace()).isEqualTo("at Handler.call");
        scene.permissions = EnumSet.of(QueuePermission.READ, QueuePermission.OPERATE);
        assertThat(control.task(EVE, QUEUE, "tried").orElseThrow())
                .satisfies(task -> assertThat(task.stackTrace()).isNull())
                .satisfies(task -> assertThat(task.lastReason()).isEqualTo("503"));
    }

    @Test
    void payloadWhenItsFormatterThrowsIsHidden() {
        try (ControlScene failing = new ControlScene(task -> {
            throw new IllegalStateException("secret");
        })) {
            failing.schedule();
            assertThat(failing.control.task(EVE, QUEUE, "t-1").orElseThrow().payload())
                    .isEqualTo(new TaskDetails.Payload(
                            "text/plain;charset=UTF-8", 8, null, "the PayloadFormatter failed"));
        }
    }

    @Test
    void changesWhenMadeAreAuditedWithTheirOutcomes() {
        scene.schedule();
        scene.makeDead(List.of("a", "b"));

        assertThat(control.changes().cancel(EVE, QUEUE, "t-1", null)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(control.changes().cancel(EVE, QUEUE, "t-1", null)).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(control.changes().reschedule(EVE, QUEUE, "t-2", at(90), null))
                .isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(control.changes().deliverNow(EVE, QUEUE, "t-4", null)).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(control.changes().redrive(EVE, QUEUE, "a", null)).isTrue();
        assertThat(control.changes().discard(EVE, QUEUE, "b", null)).isTrue();
        assertThat(control.changes().discard(EVE, QUEUE, "b", null)).isFalse();
        control.changes().pause(EVE, QUEUE, "", null);
        assertThat(control.queue(EVE, QUEUE).paused()).isTrue();
        control.changes().resume(EVE, QUEUE);
        control.changes().closeKey(EVE, QUEUE, "acme", Instant.MAX);
        control.changes().setKeyLimits(EVE, QUEUE, "acme", KeyLimits.NONE.withConcurrency(2));
        assertThat(control.key(EVE, QUEUE, "acme").concurrency()).isEqualTo(2);
        assertThat(control.key(EVE, QUEUE, "acme").closedUntil()).isNotNull();
        control.changes().openKey(EVE, QUEUE, "acme");
        assertThat(control.key(EVE, QUEUE, "acme").closedUntil()).isNull();
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> control.changes().purge(EVE, QUEUE, "other\r\nforged"));
        assertThat(control.changes().purge(EVE, QUEUE, QUEUE).live()).isEqualTo(TASKS);

        assertThat(scene.audit)
                .extracting(AuditEntry::who, AuditEntry::action, AuditEntry::count)
                .containsExactly(
                        entry("cancel", 1),
                        entry("cancel", 0),
                        entry("reschedule", 1),
                        entry("deliver", 1),
                        entry("redrive", 1),
                        entry("discard", 1),
                        entry("discard", 0),
                        entry("pause", 0),
                        entry("resume", 0),
                        entry("close-key", 0),
                        entry("limit-key", 0),
                        entry("open-key", 0),
                        entry("purge", 0),
                        entry("purge", TASKS));
        assertThat(scene.audit).extracting(AuditEntry::outcome).contains("CANCELLED", "NOT_FOUND", "RESCHEDULED");
        assertThat(scene.audit.get(0).details()).isEqualTo(Map.of("id", "t-1"));
        assertThat(scene.audit.get(12).outcome()).startsWith("failed: ");
        assertThat(scene.audit.toString()).doesNotContain("secret").doesNotContain("\n");
    }

    private static Tuple entry(String action, long count) {
        return tuple("eve", action, count);
    }

    @Test
    void deliverNowWhenTheTaskIsAlreadyDueKeepsItsPlace() {
        Instant due = Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.MILLIS);
        scene.template.schedule(
                ScheduleRequest.to(QUEUE).id("late").payload("x").dueAt(due).build());

        assertThat(control.changes().deliverNow(EVE, QUEUE, "late", due)).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(control.changes().deliverNow(EVE, QUEUE, "late", null)).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThatExceptionOfType(TaskChangedException.class)
                .isThrownBy(() -> control.changes().deliverNow(EVE, QUEUE, "late", due.plusMillis(1)));

        assertThat(control.task(EVE, QUEUE, "late").orElseThrow().nextAttentionAt())
                .isEqualTo(due);
    }

    /** Otherwise it would be delivered again, with another task key. */
    @Test
    void deliverNowWhenTheTaskIsInProgressLeavesItAlone() {
        scene.template.schedule(requestTo(QUEUE, "a", "x", Instant.EPOCH));
        long token = scene.lease("a");
        Instant leaseEnd = control.task(EVE, QUEUE, "a").orElseThrow().nextAttentionAt();

        assertThat(control.changes().deliverNow(EVE, QUEUE, "a", null)).isEqualTo(RescheduleOutcome.IN_FLIGHT);
        assertThat(control.changes().deliverNow(EVE, QUEUE, "a", leaseEnd)).isEqualTo(RescheduleOutcome.IN_FLIGHT);

        assertDeliveryEnds("a", token);
    }

    @Test
    void deliverNowWhenTheTaskWaitsForAnEarlierDeliveryMakesItDue() {
        scene.template.schedule(requestTo(QUEUE, "a", "x", Instant.EPOCH));
        long token = scene.lease("a");
        scene.template.schedule(requestTo(QUEUE, "a", "y", Instant.now().plusSeconds(3600)));

        assertThat(control.changes().deliverNow(EVE, QUEUE, "a", null)).isEqualTo(RescheduleOutcome.IN_FLIGHT);

        assertThat(control.task(EVE, QUEUE, "a").orElseThrow().dueAt()).isBeforeOrEqualTo(scene.admin.now(QUEUE));
        assertThat(scene.lease("a")).as("before the delivery ends").isZero();
        assertThat(token).isPositive();
    }

    /** It becomes due and is leased after its due time was compared with the time of Redis. */
    @Test
    void deliverNowWhenTheTaskIsLeasedMeanwhileLeavesItAlone() {
        scene.template.schedule(requestTo(QUEUE, "a", "x", Instant.now().plusSeconds(5)));
        AtomicLong token = new AtomicLong();
        DelayQueueAdmin admin = (DelayQueueAdmin) Proxy.newProxyInstance(
                DelayQueueAdmin.class.getClassLoader(),
                new Class<?>[] {DelayQueueAdmin.class},
                (proxy, method, args) -> {
                    try {
                        Object answer = method.invoke(scene.admin, args);
                        if (method.getName().equals("now")) {
                            await().until(() -> token.updateAndGet(none -> scene.lease("a")) > 0);
                        }
                        return answer;
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                });
        QueueChanges changes = new QueueChanges(
                admin,
                scene.template,
                new AuditTrail(new Permissions(admin, (caller, queue) -> ControlScene.EVERYTHING), List.of()),
                new Scans(),
                new TaskPages(admin),
                (queue, id) -> control.task(EVE, queue, id));

        assertThatExceptionOfType(TaskChangedException.class)
                .isThrownBy(() -> changes.deliverNow(EVE, QUEUE, "a", null));

        assertDeliveryEnds("a", token.get());
    }

    private void assertDeliveryEnds(String id, long token) {
        scene.redis
                .store()
                .leases()
                .settle(ControlScene.home(id), List.of(Settlement.ack(id, token)))
                .join();
        assertThat(control.task(EVE, QUEUE, id)).isEmpty();
    }

    @Test
    void deliverNowAndPostponeWhenTheKeyHoldsTheTaskBackCountFromItsOwnTime() {
        String id = TaskIds.of("acme", null, "a");
        Instant due = Instant.ofEpochMilli(scene.redis.serverMillis()).minusSeconds(60);
        scene.template.schedule(ScheduleRequest.to(QUEUE)
                .key("acme")
                .id("a")
                .payload("x")
                .dueAt(due)
                .build());
        control.changes().closeKey(EVE, QUEUE, "acme", Instant.MAX);
        scene.holdBack(id);
        TaskDetails held = control.task(EVE, QUEUE, id).orElseThrow();
        assertThat(held.heldBackSince()).isEqualTo(due);
        assertThat(held.nextAttentionAt()).isAfter(due.plus(Duration.ofDays(365)));

        for (Instant seen : List.of(held.nextAttentionAt(), due, due.plusSeconds(90))) {
            control.changes().deliverNow(EVE, QUEUE, id, seen);
            assertThat(control.task(EVE, QUEUE, id)).as("keeps its place").contains(held);
        }

        control.changes().postpone(EVE, QUEUE, id, Duration.ofHours(1), null);
        assertThat(dueAt(id)).isBetween(due.plusSeconds(3660), due.plusSeconds(3720));
    }

    @Test
    void callsWhenNotPermittedAreRefusedAndChangeNothing() {
        scene.schedule();
        scene.permissions = EnumSet.of(QueuePermission.READ);
        List<ThrowingCallable> changes = List.of(
                () -> control.changes().cancel(EVE, QUEUE, "t-1", null),
                () -> control.changes().reschedule(EVE, QUEUE, "t-1", at(1), null),
                () -> control.changes().deliverNow(EVE, QUEUE, "t-1", null),
                () -> control.changes().redrive(EVE, QUEUE, "t-1", null),
                () -> control.changes().discard(EVE, QUEUE, "t-1", null),
                () -> control.changes().pause(EVE, QUEUE, "", null),
                () -> control.changes().resume(EVE, QUEUE),
                () -> control.changes().closeKey(EVE, QUEUE, "acme", Instant.MAX),
                () -> control.changes().openKey(EVE, QUEUE, "acme"),
                () -> control.changes().setKeyLimits(EVE, QUEUE, "acme", KeyLimits.NONE),
                () -> control.changes().reshard(EVE, QUEUE, 2),
                () -> control.changes().purge(EVE, QUEUE, QUEUE),
                () -> control.bulk()
                        .start(EVE, new BulkRequest(QUEUE, BulkAction.CANCEL, TaskFilter.ALL, null, false)));
        for (ThrowingCallable change : changes) {
            assertThatExceptionOfType(AccessRefusedException.class).isThrownBy(change);
        }
        assertThat(scene.audit)
                .hasSameSizeAs(changes)
                .extracting(AuditEntry::outcome)
                .containsOnly("refused");
        assertThat(scene.admin.stats(QUEUE).delayed()).isEqualTo(TASKS);

        scene.permissions = Set.of();
        List<ThrowingCallable> reads = List.of(
                () -> control.queue(EVE, QUEUE),
                () -> control.task(EVE, QUEUE, "t-1"),
                () -> control.history(EVE, QUEUE, "t-1"),
                () -> control.tasks(EVE, QUEUE, TaskState.SCHEDULED, TaskFilter.ALL, 10, null),
                () -> control.dueCounts(EVE, QUEUE, at(0), Duration.ofMinutes(1), 1),
                () -> control.bulk().start(EVE, new BulkRequest(QUEUE, BulkAction.CANCEL, TaskFilter.ALL, null, true)));
        for (ThrowingCallable read : reads) {
            assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(read);
        }
        assertThat(control.queues(EVE).found()).isEmpty();
        assertThat(control.find(EVE, "t-1").found()).isEmpty();
    }

    @Test
    void activityWhenReadHasTheChangesNewestFirst() {
        scene.schedule(3);
        control.changes().cancel(EVE, QUEUE, ControlScene.id(1), null);
        control.changes().pause(Caller.unknown("ada\u202e"), QUEUE, "deploy", Duration.ofMinutes(10));
        scene.permissions = Set.of(QueuePermission.READ);
        assertThatExceptionOfType(AccessRefusedException.class)
                .isThrownBy(() -> control.changes().resume(EVE, QUEUE));

        AuditPage first = control.activity(EVE, null, 1, null);
        AuditPage second = control.activity(EVE, QUEUE, 2, first.next());

        assertThat(first.entries())
                .extracting(AuditEntry::action, AuditEntry::outcome)
                .as("refused changes are not stored")
                .containsExactly(tuple("pause", "done"));
        assertThat(first.entries().get(0).details()).isEqualTo(Map.of("for", "PT10M", "reason", "deploy"));
        assertThat(first.entries().get(0).who()).startsWith("ada").doesNotContain("\u202e");
        assertThat(second.entries()).isEqualTo(scene.audit.subList(0, 1));
        assertThat(second.next()).isNull();
        assertThat(control.activity(EVE, "other", 2, null).entries()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> control.activity(EVE, null, 2, "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> control.activity(EVE, null, 501, null));
        scene.permissions = Set.of();
        assertThat(control.activity(EVE, null, 2, null).entries()).isEmpty();
    }

    /** Otherwise a caller who may read few queues would make each call read the whole stream. */
    @Test
    void activityWhenFewEntriesAreShownReadsSomeAndSaysWhereToGoOn() {
        scene.schedule(1);
        control.changes().cancel(EVE, QUEUE, ControlScene.id(0), null);
        String other = StoredJson.text(new AuditEntry(at(0), "ada", "pause", "billing", Map.of(), "done", 0));
        CompletableFuture.allOf(IntStream.range(0, 2_100)
                        .mapToObj(i -> scene.redis.store().audit().put(other))
                        .toArray(CompletableFuture[]::new))
                .join();
        long before = scene.redis.scriptCalls();

        AuditPage first = control.activity(EVE, QUEUE, 10, null);

        assertThat(scene.redis.scriptCalls() - before).isLessThanOrEqualTo(4);
        assertThat(first.entries()).isEmpty();
        AuditPage second = control.activity(EVE, QUEUE, 10, first.next());
        assertThat(second.entries()).isEqualTo(scene.audit);
        assertThat(second.next()).isNull();
    }

    @Test
    void activityWhenAnotherProgramWroteAnEntrySkipsIt() {
        scene.schedule(1);
        control.changes().cancel(EVE, QUEUE, ControlScene.id(0), null);
        for (String foreign : List.of("", "x", "{}", "{\"who\":null}")) {
            scene.redis.store().audit().put(foreign).join();
        }

        assertThat(control.activity(EVE, null, 10, null).entries()).isEqualTo(scene.audit);
    }

    @Test
    void queueWhenItMayNotBeReadIsToldApartFromNoQueueByNothing() {
        scene.permissions = Set.of(QueuePermission.PAYLOAD);
        assertThat(refusal(QUEUE)).isEqualTo(refusal("none").replace("none", QUEUE));
    }

    private String refusal(String queue) {
        Throwable refused = catchThrowable(() -> control.changes().pause(EVE, queue, "", null));
        assertThat(refused).isInstanceOf(UnknownQueueException.class);
        assertThat(scene.audit).last().extracting(AuditEntry::outcome).isEqualTo("refused");
        return String.valueOf(refused.getMessage());
    }

    /** Else a reader with a filter over many tasks would take all threads of a web server. */
    @Test
    void searchWhenTwoOfTheCallerRunIsRefusedAndAListIsNot() {
        scene.schedule();
        scene.redis.holdScripts(Duration.ofMillis(1500));
        TaskFilter filter = TaskFilter.ALL.withReason("503");
        ThrowingCallable search = () -> control.tasks(EVE, QUEUE, TaskState.SCHEDULED, filter, 10, null);
        List<Thread> searches = List.of(begun(search), begun(search));
        await().until(() -> searches.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));

        assertThatExceptionOfType(TooManyScansException.class).isThrownBy(search);
        assertThat(total(TaskFilter.ALL.between(at(10), null))).isNull();
        assertThatExceptionOfType(TooManyScansException.class).isThrownBy(() -> control.deadReasons(EVE, QUEUE));
        assertThat(control.tasks(EVE, QUEUE, TaskState.SCHEDULED, TaskFilter.ALL, 10, null)
                        .tasks())
                .hasSize(10);
        await().untilAsserted(() -> assertThatCode(search).doesNotThrowAnyException());
    }

    private static Thread begun(ThrowingCallable call) {
        Thread thread = new Thread(() -> catchThrowable(call));
        thread.start();
        return thread;
    }

    /** Otherwise a damaged key would hide all others from the operator who has to repair it. */
    @Test
    void queuesWhenOneCannotBeReadAreTheOthersAndItsError() {
        scene.schedule();
        scene.redis.damage(new Shard(QUEUE, 0), "index");

        QueueResults<QueueView> queues = control.queues(EVE);

        assertThat(queues.found()).isEmpty();
        assertThat(queues.unreadable()).containsOnlyKeys(QUEUE);
        assertThat(queues.unreadable().get(QUEUE)).contains("has an unexpected type");

        IntStream.range(0, ControlScene.SHARDS).forEach(shard -> scene.redis.damage(new Shard(QUEUE, shard), "tasks"));
        assertThat(control.find(EVE, "t-1").unreadable()).containsOnlyKeys(QUEUE);
    }

    @Test
    void problemsWhenReadAreThoseOfReadableQueuesEvenOfUnconfiguredOnes() {
        QueueAccessResolver access =
                (caller, queue) -> queue.startsWith("billing") ? Set.of() : Set.of(QueuePermission.READ);
        Map<String, String> problems = Map.of(QUEUE, "differs", "removed", "is not delivered", "billing", "differs");
        try (QueueControl some = new QueueControl(
                scene.admin,
                scene.template,
                access,
                null,
                List.of(),
                scene.redis.store(),
                List::of,
                () -> problems,
                null)) {
            assertThat(some.problems(EVE))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(QUEUE, "differs", "removed", "is not delivered"));
            assertThat(some.problems(Permissions.APPLICATION)).isEqualTo(problems);
        }
    }

    @Test
    void changeWhenItsAuditFailsIsMadeAllTheSame() {
        try (QueueControl broken = new QueueControl(
                scene.admin,
                scene.template,
                QueueAccessResolver.READ_AND_OPERATE,
                null,
                List.of(
                        entry -> {
                            throw new IllegalStateException("the disk is full");
                        },
                        scene.audit::add),
                scene.redis.store(),
                List::of,
                Map::of,
                null)) {
            scene.schedule();
            assertThat(broken.changes().cancel(EVE, QUEUE, "t-1", null)).isEqualTo(CancelOutcome.CANCELLED);
        }
        assertThat(scene.audit).hasSize(1);
    }

    @Test
    void postponeWhenTheDueTimeHasPassedCountsFromNowOrFromTheRetry() {
        for (String id : List.of("late", "tried")) {
            scene.template.schedule(ScheduleRequest.to(QUEUE)
                    .id(id)
                    .payload("x")
                    .dueAt(Instant.EPOCH)
                    .build());
        }
        scene.fail("tried");
        Instant now = Instant.ofEpochMilli(scene.redis.serverMillis());

        for (String id : List.of("late", "tried")) {
            assertThat(control.changes().postpone(EVE, QUEUE, id, Duration.ofHours(1), null))
                    .isEqualTo(RescheduleOutcome.RESCHEDULED);
        }

        assertThat(dueAt("late")).isBetween(now.plusSeconds(3600), now.plusSeconds(3660));
        assertThat(dueAt("tried")).isBetween(now.plusSeconds(3 * 3600 - 60), now.plusSeconds(3 * 3600 + 60));
        scene.schedule(1);
        control.changes().postpone(EVE, QUEUE, ControlScene.id(0), Duration.ofMinutes(-30), null);
        assertThat(dueAt(ControlScene.id(0))).isEqualTo(at(-30));
        assertThat(control.changes().postpone(EVE, QUEUE, "none", Duration.ofHours(1), null))
                .isEqualTo(RescheduleOutcome.NOT_FOUND);
    }

    private Instant dueAt(String id) {
        return control.task(EVE, QUEUE, id).orElseThrow().dueAt();
    }

    /** Else a newer version's task would hide those of the id in all queues, and could not be cancelled. */
    @Test
    void taskWhenItsContentsCannotBeReadIsShownAndChangedWithoutThem() {
        scene.schedule();
        scene.redis.put(ControlScene.home("t-1"), "tasks", "t-1", "?");

        assertThat(control.find(EVE, "t-1").unreadable()).isEmpty();
        assertThat(control.find(EVE, "t-1").found()).singleElement().satisfies(task -> {
            assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
            assertThat(task.dueAt()).isEqualTo(at(1));
            assertThat(task.headers()).isEmpty();
            assertThat(task.payload().contentType()).isEmpty();
            assertThat(task.payload().text()).isNull();
            assertThat(task.payload().hidden()).startsWith("cannot be read");
        });
        assertThat(control.changes().cancel(EVE, QUEUE, "t-1", null)).isEqualTo(CancelOutcome.CANCELLED);
    }

    private static final QueueCatalog FOUR = new QueueCatalog(Stream.of("a", "b", "c", "d")
            .map(name -> QueueSettingsBuilder.withDefaults(name))
            .toList());

    private static QueueControl control(StoreFixture redis, QueueCatalog queues, QueueAccessResolver access) {
        return new QueueControl(
                redis.admin(queues),
                new DelayQueueTemplate(redis.store(), queues, new PayloadCodecs(List.of()), TaskBounds.DEFAULT),
                access,
                null,
                List.of(),
                redis.store(),
                List::of,
                Map::of,
                null);
    }

    /** Redis does not answer from the moment at which the permission for a queue is asked for. */
    private static QueueAccessResolver awayFrom(StoreFixture redis, String first) {
        return (caller, queue) -> {
            if (queue.equals(first)) {
                redis.holdScripts(Duration.ofMillis(2500)); // two time-outs and some more
            }
            return Set.of(QueuePermission.READ);
        };
    }

    @Test
    void queuesWhenRedisStopsAnsweringAreThoseThatWereReadAndWhyOthersWereNot() {
        try (StoreFixture redis = new StoreFixture(Duration.ofMillis(800));
                QueueControl some = control(redis, FOUR, awayFrom(redis, "b"))) {
            QueueResults<QueueView> queues = some.queues(EVE);

            assertThat(queues.found()).extracting(QueueView::queue).containsExactly("a");
            assertThat(queues.unreadable()).containsOnlyKeys("b", "c", "d");
            assertThat(queues.unreadable().get("d")).startsWith("Skipped");
        }
    }

    @Test
    void queuesWhenRedisAnswersForNoneFail() {
        try (StoreFixture redis = new StoreFixture(Duration.ofMillis(800));
                QueueControl none = control(redis, FOUR, awayFrom(redis, "a"))) {
            assertThatExceptionOfType(TaskStoreException.class).isThrownBy(() -> none.queues(EVE));
        }
    }

    @Test
    void deadReasonsWhenThePeriodEndedReadNoLaterDeaths() {
        for (int i = 0; i < 2_000; i++) {
            scene.redis.putDead(new Shard(QUEUE, 0), "d" + i, 1000 * i);
        }
        long before = scene.redis.scriptCalls();

        DeadReasons reasons = control.deadReasons(EVE, QUEUE, null, Instant.ofEpochMilli(3000));

        assertThat(reasons.looked()).isEqualTo(3);
        assertThat(reasons.all()).isTrue();
        assertThat(scene.redis.scriptCalls() - before).isLessThan(8);
        assertThat(control.deadReasons(EVE, QUEUE).looked()).isEqualTo(2_000);
    }

    @Test
    void deadReasonsWhenRedisIsSlowEndAndSaySo() {
        QueueCatalog one = new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("a")));
        try (StoreFixture redis = new StoreFixture(Duration.ofSeconds(10));
                QueueControl slow = control(redis, one, (caller, queue) -> ControlScene.EVERYTHING)) {
            for (int i = 0; i < 600; i++) {
                redis.putDead(new Shard("a", 0), "d" + i, 1000 * i);
            }
            redis.holdScripts(TaskPages.LONGEST.plusMillis(100));

            DeadReasons reasons = slow.deadReasons(EVE, "a", Instant.EPOCH, null);

            assertThat(reasons.looked()).isEqualTo(500);
            assertThat(reasons.all()).isFalse();
        }
    }
}
