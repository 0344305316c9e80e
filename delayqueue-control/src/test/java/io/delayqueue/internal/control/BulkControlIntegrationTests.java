// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.PAGE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static io.delayqueue.internal.control.ControlScene.TASKS;
import static io.delayqueue.internal.control.ControlScene.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.AuditListener;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations on all tasks that a filter names. */
class BulkControlIntegrationTests {

    private static final TaskFilter VIP = TaskFilter.ALL.withIdPrefix("vip-");
    private static final int VIPS = TASKS / 3;
    private static final BulkRequest COUNT = new BulkRequest(QUEUE, BulkAction.CANCEL, VIP, null, true);

    private final ControlScene scene = new ControlScene(null);
    private final BulkControl bulk = scene.control.bulk();

    @AfterEach
    void close() {
        scene.close();
    }

    private static BulkRequest request(
            BulkAction action, TaskFilter filter, @Nullable Instant to, @Nullable Integer perSecond) {
        return new BulkRequest(QUEUE, action, filter, to, null, null, perSecond, false);
    }

    private OperationView run(BulkRequest request) {
        return ended(bulk.start(EVE, request).handle());
    }

    private OperationView ended(String handle) {
        return await().pollInterval(Duration.ofMillis(10))
                .until(() -> bulk.find(EVE, handle).orElseThrow(), operation -> operation.status() != Status.RUNNING);
    }

    private long done(String handle) {
        return bulk.find(EVE, handle).orElseThrow().done();
    }

    private List<String> waiting(TaskFilter filter) {
        return scene.pages(TaskState.SCHEDULED, filter, 500);
    }

    @Test
    void dryRunWhenMadeCountsAndChangesNothing() {
        scene.schedule();

        OperationView counted = run(new BulkRequest(QUEUE, BulkAction.CANCEL, VIP, null, true));

        assertThat(counted.status()).isEqualTo(Status.DONE);
        assertThat(counted.matched()).isEqualTo(VIPS);
        assertThat(counted.done()).isZero();
        assertThat(waiting(TaskFilter.ALL)).hasSize(TASKS);
        assertThat(scene.audit).isEmpty();
    }

    @Test
    void cancelWhenAFilterNamesSomeLeavesTheOthers() {
        scene.schedule();

        OperationView done = run(request(BulkAction.CANCEL, VIP.between(null, at(30)), null, null));

        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(10);
        assertThat(waiting(TaskFilter.ALL)).hasSize(TASKS - 10);
        assertThat(waiting(VIP.between(null, at(30)))).isEmpty();
        assertThat(scene.audit)
                .extracting(AuditEntry::action, AuditEntry::count)
                .containsExactly(tuple("operation-cancel", 0L), tuple("operation-cancel", 10L));
        assertThat(scene.audit.get(1).details()).containsEntry("idPrefix", "vip-");
        assertThat(scene.audit.get(1).outcome()).isEqualTo("DONE " + done.handle());
    }

    @Test
    void rescheduleWhenTheNewTimeIsInTheWindowMovesEachTaskOnce() {
        scene.schedule();
        Instant to = at(45);

        OperationView done = run(request(BulkAction.RESCHEDULE, VIP, to, null));

        // The task that already waits for that moment is skipped.
        assertThat(done.done()).isEqualTo(VIPS - 1);
        assertThat(done.matched()).isEqualTo(VIPS - 1);
        assertThat(waiting(VIP.between(to, to.plusMillis(1)))).hasSize(VIPS);
        assertThat(run(request(BulkAction.RESCHEDULE, VIP, to, null)).matched()).isZero();
    }

    @Test
    void rescheduleWhenTheNewTimeIsNoWholeMillisecondMovesEachTaskOnce() {
        scene.schedule();
        BulkRequest request = request(BulkAction.RESCHEDULE, VIP, at(10).plusNanos(1), null);

        assertThat(run(request).done()).isEqualTo(VIPS);
        assertThat(run(request).matched()).isZero();
    }

    @Test
    void deliverWhenAskedForMakesWaitingTasksDueAndEnds() {
        scene.schedule();
        scene.admin.pause(QUEUE);

        assertThat(run(request(BulkAction.DELIVER, VIP, null, 10_000)).done()).isEqualTo(VIPS);
        assertThat(scene.admin.stats(QUEUE).ready()).isEqualTo(VIPS);
        assertThat(run(request(BulkAction.DELIVER, VIP, null, 10_000)).matched())
                .isZero();
    }

    @Test
    void redriveAndDiscardWhenAFilterNamesSomeLeaveTheOthers() {
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "d" + i).toList();
        scene.makeDead(ids);

        assertThat(run(request(BulkAction.REDRIVE, TaskFilter.ALL.withIdPrefix("d1"), null, 10_000))
                        .done())
                .isEqualTo(11);
        assertThat(run(request(BulkAction.DISCARD, TaskFilter.ALL.withReason("other"), null, null))
                        .done())
                .isZero();
        assertThat(run(request(BulkAction.DISCARD, TaskFilter.ALL.withReason("out of"), null, null))
                        .done())
                .isEqualTo(29);
        assertThat(scene.admin.stats(QUEUE).dead()).isZero();
        assertThat(scene.admin.stats(QUEUE).ready()).isEqualTo(11);
    }

    @Test
    void redriveWhenTheReasonIsExactLeavesThoseThatOnlyHaveIt() {
        List<String> ids = IntStream.range(0, 5).mapToObj(i -> "d" + i).toList();
        scene.makeDead(ids);
        String whole = scene.admin
                .deadTasks(QUEUE, TaskQuery.first(1))
                .content()
                .get(0)
                .lastReason()
                .orElseThrow();

        for (String other : List.of("", whole.substring(1), whole.substring(0, 3), whole + " ")) {
            assertThat(run(request(BulkAction.REDRIVE, TaskFilter.ALL.withExactReason(other), null, 10_000))
                            .matched())
                    .as("'%s'", other)
                    .isZero();
        }
        assertThat(run(request(BulkAction.REDRIVE, TaskFilter.ALL.withExactReason(whole), null, 10_000))
                        .done())
                .isEqualTo(5);
        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL.withExactReason(""), 2))
                .hasSize(5);
    }

    @Test
    void runWhenACountHasEndedDoesTheSameToTheTasks() {
        scene.schedule();
        OperationView counted = run(new BulkRequest(QUEUE, BulkAction.CANCEL, VIP, null, true));

        OperationView begun = bulk.run(EVE, counted.handle()).orElseThrow();

        await().until(() -> bulk.find(EVE, begun.handle()).orElseThrow().status() == Status.DONE);
        assertThat(begun.dryRun()).isFalse();
        assertThat(begun.filter()).isEqualTo(counted.filter());
        assertThat(waiting(VIP)).isEmpty();
        assertThat(waiting(TaskFilter.ALL)).hasSize(TASKS - VIPS);
        assertThat(scene.audit.get(0).action()).isEqualTo("operation-cancel");
        assertThat(bulk.run(EVE, counted.handle()).orElseThrow().handle())
                .as("a repeated call starts nothing")
                .isEqualTo(begun.handle());
        assertThat(bulk.all(EVE)).hasSize(2);
        assertThatIllegalArgumentException().isThrownBy(() -> bulk.run(EVE, begun.handle()));
        assertThat(bulk.run(EVE, "none")).isEmpty();
    }

    @Test
    void discardWhenATaskDiesMeanwhileLeavesIt() {
        List<String> ids = IntStream.range(0, 10).mapToObj(i -> "d" + i).toList();
        scene.makeDead(ids);
        String late = idInShard(ControlScene.SHARDS - 1, "late");

        scene.gate.allow(0);
        String handle = bulk.start(EVE, request(BulkAction.DISCARD, TaskFilter.ALL, null, null))
                .handle();
        scene.gate.awaitOperation();
        long then = scene.redis.serverMillis();
        await().until(() -> scene.redis.serverMillis() > then + 1);
        scene.makeDead(List.of(late));
        scene.gate.open();

        assertThat(ended(handle).done()).isEqualTo(ids.size());
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, 500)).containsExactly(late);
    }

    /** A task that was put off to its delivery hours has a reason, but no attempt. */
    @Test
    void cancelWhenOnlyRetriesAreChosenLeavesTasksWithoutAFailedAttempt() {
        scene.template.schedule(requestTo(QUEUE, "failed", "p", Instant.EPOCH));
        scene.fail("failed");
        scene.template.schedule(requestTo(QUEUE, "postponed", "p", Instant.EPOCH));
        scene.redis
                .store()
                .leases()
                .settle(
                        ControlScene.home("postponed"),
                        List.of(Settlement.retry(
                                "postponed",
                                scene.lease("postponed"),
                                Duration.ofHours(2),
                                false,
                                false,
                                "outside its delivery hours")))
                .join();

        assertThat(run(request(BulkAction.CANCEL, TaskFilter.ALL.onlyRetrying(), null, null))
                        .done())
                .isEqualTo(1);

        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL, 500)).containsExactly("postponed");
    }

    @Test
    void redriveWhenAShardFailsCountsThoseOfTheOthers() {
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "d" + i).toList();
        scene.makeDead(ids);
        Sharding sharding = Sharding.initial(ControlScene.SHARDS);
        long before = ids.stream().filter(id -> sharding.homeOf(id) < 2).count();
        scene.redis.damage(new Shard(QUEUE, 2), "holds");

        String handle = bulk.start(EVE, request(BulkAction.REDRIVE, TaskFilter.ALL, null, 10_000))
                .handle();
        OperationView failed = ended(handle);
        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(failed.done()).isEqualTo(before).isPositive();

        scene.redis.remove(new Shard(QUEUE, 2), "holds");
        bulk.resume(EVE, handle);
        OperationView done = ended(handle);
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(ids.size());
        assertThat(done.matched()).isEqualTo(ids.size());
    }

    @Test
    void operationWhenAPageWasSlowRestsAsLongBeforeTheNext() {
        scene.schedule(2 * PAGE);
        scene.gate.allow(0);
        String handle = bulk.start(EVE, request(BulkAction.CANCEL, TaskFilter.ALL, null, null))
                .handle();
        scene.gate.awaitOperation();
        scene.redis.holdScripts(Duration.ofMillis(600));
        long begin = System.nanoTime();
        scene.gate.open();

        assertThat(ended(handle).done()).isEqualTo(2 * PAGE);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(1150));
    }

    /** The last shard is read last, so that the turn of its task comes after its due time. */
    @Test
    void deliverWhenPacedSpreadsDueTimesAndPutsNoTaskOff() {
        scene.schedule(10);
        String near = idInShard(ControlScene.SHARDS - 1, "near");
        Instant soon = Instant.ofEpochMilli(scene.redis.serverMillis() + 1500);
        scene.template.schedule(requestTo(QUEUE, near, "p", soon));
        scene.admin.pause(QUEUE);

        OperationView done = run(request(BulkAction.DELIVER, TaskFilter.ALL, null, 1));

        assertThat(done.matched()).isEqualTo(11);
        assertThat(done.done()).isEqualTo(10);
        assertThat(done.left()).isEqualTo(1);
        List<Long> due = due();
        assertThat(due).contains(soon.toEpochMilli()).hasSize(11);
        due.remove(soon.toEpochMilli());
        assertThat(due)
                .allSatisfy(each -> assertThat((each - due.get(0)) % 1000).isZero());
        assertThat(due.get(9) - due.get(0)).isBetween(9_000L, 10_000L);
    }

    @Test
    void redriveWhenPacedQueuesUpBehindTheOperationBefore() {
        scene.makeDead(IntStream.range(0, 40).mapToObj(i -> "d" + i).toList());

        run(request(BulkAction.REDRIVE, TaskFilter.ALL.withIdPrefix("d1"), null, 4));
        run(request(BulkAction.REDRIVE, TaskFilter.ALL, null, 4));

        List<Long> due = due();
        assertThat(due)
                .isEqualTo(IntStream.range(0, 40)
                        .mapToObj(i -> due.get(0) + 250 * i)
                        .toList());
    }

    /** When live tasks need attention, in milliseconds, the earliest first. */
    private List<Long> due() {
        return IntStream.range(0, ControlScene.SHARDS)
                .mapToObj(shard -> scene.redis.index(new Shard(QUEUE, shard)).values())
                .flatMap(Collection::stream)
                .sorted()
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static String idInShard(int shard, String prefix) {
        return IntStream.range(0, 100)
                .mapToObj(i -> prefix + i)
                .filter(id -> Sharding.initial(ControlScene.SHARDS).homeOf(id) == shard)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void auditWhenAnOperationRunsHasItsBeginFirstAndItsEndBeforeThatIsSeen() {
        CountDownLatch over = new CountDownLatch(1);
        List<String> told = new CopyOnWriteArrayList<>();
        AtomicReference<QueueControl> itself = new AtomicReference<>();
        AuditListener listener = entry -> {
            if (entry.outcome().startsWith("started")) {
                waitFor(over);
            } else {
                over.countDown();
            }
            told.add(entry.outcome().split(" ")[0] + " while "
                    + itself.get().bulk().all(EVE).get(0).status());
        };
        try (QueueControl control = new QueueControl(
                scene.admin,
                scene.template,
                (caller, queue) -> ControlScene.EVERYTHING,
                null,
                List.of(listener),
                scene.redis.store(),
                List::of,
                Map::of,
                null)) {
            itself.set(control);
            control.bulk().start(EVE, request(BulkAction.CANCEL, VIP, null, null));
            await().until(() -> told.size() == 2);
        }
        assertThat(told).containsExactly("started while RUNNING", "DONE while RUNNING");
    }

    /** Waits for a time in which an operation that did not wait for its audit entry would end. */
    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await(500, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    @Test
    void operationWhenStoppedAndResumedGoesOnWhereItWas() {
        scene.schedule(2 * PAGE + 200);
        scene.gate.allow(1);
        String handle = bulk.start(EVE, request(BulkAction.CANCEL, TaskFilter.ALL, null, null))
                .handle();
        scene.gate.awaitOperation();
        assertThat(done(handle)).isEqualTo(PAGE);

        bulk.stop(EVE, handle);
        scene.gate.open();
        OperationView stopped = ended(handle);
        assertThat(stopped.status()).isEqualTo(Status.STOPPED);
        assertThat(stopped.done()).as("with the page that was being changed").isEqualTo(2 * PAGE);
        assertThat(waiting(TaskFilter.ALL)).hasSize(200);

        bulk.resume(EVE, handle);
        OperationView done = ended(handle);
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(2 * PAGE + 200);
        assertThat(waiting(TaskFilter.ALL)).isEmpty();
        assertThat(scene.audit)
                .extracting(AuditEntry::action)
                .containsExactlyInAnyOrder(
                        "operation-cancel",
                        "operation-stop",
                        "operation-cancel",
                        "operation-resume",
                        "operation-cancel");
    }

    @Test
    void redriveWhenItIsSlowAndStoppedLeavesTheRestDeadAndGoesOnWhenResumed() {
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "d" + i).toList();
        scene.makeDead(ids);
        String handle = bulk.start(EVE, request(BulkAction.REDRIVE, TaskFilter.ALL, null, 1))
                .handle();
        await().until(() -> done(handle) > 0);

        bulk.stop(EVE, handle);
        OperationView stopped = ended(handle);
        assertThat(stopped.status()).isEqualTo(Status.STOPPED);
        assertThat(stopped.done()).isBetween(1L, 15L);
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, 500)).hasSize(40 - (int) stopped.done());

        bulk.resume(EVE, handle);
        await().until(() -> done(handle) > stopped.done());
        bulk.stop(EVE, handle);
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, 500))
                .hasSize(40 - (int) ended(handle).done());
    }

    @Test
    void operationWhenRedisFailsSaysSoAndGoesOnWhenItIsResumed() {
        scene.schedule();
        scene.redis.damage(new Shard(QUEUE, 1), "holds");

        String handle = bulk.start(EVE, request(BulkAction.CANCEL, TaskFilter.ALL, null, null))
                .handle();
        OperationView failed = ended(handle);
        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(failed.error()).contains("orders");
        assertThat(failed.done()).isLessThan(TASKS);

        scene.redis.remove(new Shard(QUEUE, 1), "holds");
        bulk.resume(EVE, handle);
        OperationView done = ended(handle);
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.error()).isNull();
        assertThat(done.done()).isEqualTo(TASKS);
    }

    @Test
    void cancelWhenSomethingElseLeftAnIdThatCannotBeOneCancelsTheOthers() {
        scene.schedule();
        scene.redis.put(new Shard(QUEUE, 2), "tasks", "a\tb", "");
        scene.redis.put(new Shard(QUEUE, 2), "index", "a\tb", 5);

        OperationView done = run(request(BulkAction.CANCEL, TaskFilter.ALL, null, null));

        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(TASKS);
        assertThat(done.left()).isEqualTo(1);
    }

    @Test
    void operationsWhenTooManyRunAreRefused() {
        scene.schedule(PAGE + 1);
        scene.gate.allow(0);
        BulkRequest move = request(BulkAction.RESCHEDULE, TaskFilter.ALL, at(1), null);
        List<String> running = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            running.add(bulk.start(EVE, move).handle());
        }
        assertThatExceptionOfType(TooManyOperationsException.class).isThrownBy(() -> bulk.start(EVE, move));
        assertThat(bulk.all(EVE))
                .isSortedAccordingTo(Comparator.comparing(OperationView::startedAt))
                .extracting(OperationView::handle)
                .containsExactlyInAnyOrderElementsOf(running);
        assertThat(scene.audit)
                .extracting(entry -> entry.outcome().split(" ")[0])
                .containsExactly(
                        "started", "started", "started", "started", "started", "started", "started", "started",
                        "failed:");
        running.forEach(handle -> bulk.stop(EVE, handle));
        scene.gate.open();
        running.forEach(handle -> assertThat(ended(handle).status()).isEqualTo(Status.STOPPED));
    }

    @Test
    void dryRunsWhenTooManyRunAreRefusedAndLeaveRoomForChanges() {
        scene.schedule();
        scene.gate.allow(0);
        for (int i = 0; i < 4; i++) {
            bulk.start(Caller.unknown("reader-" + i), COUNT);
        }
        assertThatExceptionOfType(TooManyOperationsException.class)
                .isThrownBy(() -> bulk.start(Caller.unknown("reader-4"), COUNT))
                .withMessageContaining("4 dry runs");

        String change =
                bulk.start(EVE, request(BulkAction.CANCEL, VIP, null, null)).handle();
        scene.gate.open();
        assertThat(ended(change).status()).isEqualTo(Status.DONE);
    }

    @Test
    void dryRunsWhenOneCallerMakesTooManyAreRefusedAndLeaveRoomForOthers() {
        scene.schedule();
        scene.gate.allow(0);
        String first = bulk.start(EVE, COUNT).handle();
        String second = bulk.start(EVE, COUNT).handle();
        assertThatExceptionOfType(TooManyOperationsException.class)
                .isThrownBy(() -> bulk.start(EVE, COUNT))
                .withMessageContaining("2 dry runs of eve");

        bulk.start(Caller.unknown("bob"), COUNT);
        scene.gate.open();
        ended(first);
        ended(second);
        assertThat(run(COUNT).status()).isEqualTo(Status.DONE);
    }

    @Test
    void dryRunWhenItsCallerMayOnlyReadIsStoppedByThemAndByNoOtherReader() {
        scene.schedule();
        scene.permissions = Set.of(QueuePermission.READ);
        scene.gate.allow(0);
        String handle = bulk.start(EVE, COUNT).handle();

        assertThatExceptionOfType(AccessRefusedException.class)
                .isThrownBy(() -> bulk.stop(Caller.unknown("bob"), handle));
        bulk.stop(EVE, handle);
        scene.gate.open();
        ended(handle);
        bulk.stop(EVE, handle);

        assertThat(scene.audit)
                .as("stops of the reader would displace the entries of changes")
                .extracting(AuditEntry::who, AuditEntry::action, AuditEntry::outcome)
                .containsExactly(tuple("bob", "operation-stop", "refused"));
    }

    /**
     * The clock of this process is an hour behind that of Redis, by which tasks that are due within this hour are
     * already due.
     */
    @Test
    void deliverWhenTheClocksDifferGoesByThatOfRedis() {
        TaskStore ahead = scene.redis.store(() -> Duration.ofHours(1).toMillis());
        QueueCatalog queues = RedriveProcess.queues(QUEUE, ControlScene.SHARDS);
        Shardings shardings = Shardings.fixed(queues);
        TaskStoreAdmin admin = new TaskStoreAdmin(ahead, queues, shardings, new Resharding(ahead, shardings));
        for (int minutes : new int[] {30, 90}) {
            scene.template.schedule(requestTo(QUEUE, "in-" + minutes, "p", Duration.ofMinutes(minutes)));
        }
        try (QueueControl control = new QueueControl(
                admin,
                new DelayQueueTemplate(ahead, queues, new PayloadCodecs(List.of()), TaskBounds.DEFAULT),
                (caller, queue) -> ControlScene.EVERYTHING,
                null,
                List.of(),
                ahead,
                List::of,
                Map::of,
                null)) {
            String handle = control.bulk()
                    .start(EVE, request(BulkAction.DELIVER, TaskFilter.ALL, null, 10_000))
                    .handle();
            await().until(() -> control.bulk().find(EVE, handle).orElseThrow().status() == Status.DONE);
            assertThat(control.bulk().find(EVE, handle).orElseThrow().done())
                    .as("only what was not due")
                    .isEqualTo(1);
        }
        Instant now = Instant.ofEpochMilli(scene.redis.serverMillis());
        assertThat(waiting(TaskFilter.ALL.between(now.plus(Duration.ofMinutes(55)), now.plus(Duration.ofMinutes(65)))))
                .as("due by the clock of Redis, and no sooner")
                .containsExactly("in-90");
    }

    @Test
    void requestsWhenTheyMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> request(BulkAction.DELIVER, VIP, null, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> request(BulkAction.REDRIVE, VIP, null, 1_000_001));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(BulkAction.DELIVER, VIP, null, null))
                .withMessageContaining("Give 'perSecond'");
        assertThatIllegalArgumentException().isThrownBy(() -> request(BulkAction.CANCEL, VIP, at(1), null));
        assertThatIllegalArgumentException().isThrownBy(() -> request(BulkAction.RESCHEDULE, VIP, null, null));
    }

    @ParameterizedTest
    @EnumSource(
            value = BulkAction.class,
            names = {"CANCEL", "RESCHEDULE", "DISCARD"})
    void paceWhenTheActionMakesNothingDueOneAfterTheOtherIsRefused(BulkAction action) {
        Instant to = action == BulkAction.RESCHEDULE ? at(1) : null;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(action, VIP, to, 10))
                .withMessageStartingWith("Leave 'perSecond' out. It limits how many tasks become due per second, but "
                        + action.name().toLowerCase(Locale.ROOT) + " ");
    }

    private void scheduleDue(String id) {
        scene.template.schedule(ScheduleRequest.to(QUEUE)
                .id(id)
                .payload("p")
                .dueAt(Instant.EPOCH)
                .build());
    }

    @ParameterizedTest
    @EnumSource(
            value = BulkAction.class,
            names = {"CANCEL", "RESCHEDULE"})
    void changeWhenADeliveryStartsAfterThePageWasReadIsCountedAsInFlight(BulkAction action) {
        scene.schedule();
        scheduleDue("due");
        scene.gate.afterPage = () -> scene.lease("due");

        OperationView done = run(request(action, TaskFilter.ALL, action == BulkAction.CANCEL ? null : at(-1), null));

        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(TASKS + 1);
        assertThat(done.inFlight()).isEqualTo(1);
        assertThat(done.left()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = BulkAction.class,
            names = {"CANCEL", "ERASE"})
    void deletionWhenATaskDiesAfterThePageWasReadIsCountedAsInFlight(BulkAction action) {
        scheduleDue("due");
        scene.gate.afterPage = () -> {
            scene.gate.afterPage = () -> {};
            scene.makeDead(List.of("due"));
        };

        OperationView done = run(request(action, TaskFilter.ALL, null, null));

        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(1);
        assertThat(done.inFlight()).isEqualTo(1);
        assertThat(scene.admin.stats(QUEUE).dead()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = BulkAction.class,
            names = {"RESCHEDULE", "DELIVER"})
    void changeWhenANewerVersionWroteATaskLeavesItAndGoesOn(BulkAction action) {
        scene.schedule();
        scene.redis.put(ControlScene.home("vip-3"), "attempts", "vip-3", "99:new");
        boolean moves = action == BulkAction.RESCHEDULE;

        OperationView done = run(request(action, VIP, moves ? at(-1) : null, moves ? null : 10_000));

        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(VIPS - 1);
        assertThat(done.left()).isEqualTo(1);
    }

    /** It would be moved at each attempt, if the operation were resumed or met it again. */
    @Test
    void rescheduleWhenATaskHasFailedSinceItWasMovedLeavesItsRetry() {
        scheduleDue("tried");
        BulkRequest request = request(BulkAction.RESCHEDULE, TaskFilter.ALL, Instant.ofEpochSecond(1), null);
        assertThat(run(request).done()).isEqualTo(1);
        scene.fail("tried");

        assertThat(run(request).matched()).isZero();
    }
}
