// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.PAGE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static io.delayqueue.internal.control.ControlScene.TASKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskState;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import io.delayqueue.internal.control.ControlScene.Gate;
import io.delayqueue.internal.control.OperationRecord.Progress;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.OperationPut;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations by filter that one process runs, as seen and steered from another one. */
class SharedOperationsIntegrationTests {

    private static final int MANY = 2 * PAGE + 200;

    private final ControlScene scene = new ControlScene(null);
    /** Ahead of the server, so that a process seems to have been silent. */
    private final AtomicLong clock = new AtomicLong();

    private final Gate gateOfOne = new Gate(scene.admin);
    private final Gate gateOfOther = new Gate(scene.admin);
    private final QueueControl one = control(gateOfOne, scene.redis.store());
    private final QueueControl other = control(gateOfOther, scene.redis.store(clock::get));

    private QueueControl control(Gate gate, TaskStore store) {
        return new QueueControl(
                gate.admin(),
                scene.template,
                (caller, queue) -> scene.permissions,
                null,
                List.of(scene.audit::add),
                store,
                List::of,
                Map::of,
                null);
    }

    @AfterEach
    void close() {
        gateOfOne.open();
        gateOfOther.open();
        one.close();
        other.close();
        scene.close();
    }

    private static final BulkRequest CANCEL = new BulkRequest(QUEUE, BulkAction.CANCEL, TaskFilter.ALL, null, false);

    /** Lets the first process cancel a page of tasks and wait then. */
    private String startedByOne(int tasks) {
        scene.schedule(tasks);
        gateOfOne.allow(1);
        String handle = one.bulk().start(EVE, CANCEL).handle();
        gateOfOne.awaitOperation();
        return handle;
    }

    /** Allows it to cancel another page, after which it ends. */
    private OperationView stopped(QueueControl by, String handle) {
        by.bulk().stop(EVE, handle);
        gateOfOne.open();
        return ended(other, handle);
    }

    private static OperationView seenBy(QueueControl control, String handle) {
        return control.bulk().find(EVE, handle).orElseThrow();
    }

    private static OperationView ended(QueueControl seenBy, String handle) {
        return await().until(() -> seenBy(seenBy, handle), operation -> operation.status() != Status.RUNNING);
    }

    private List<String> waiting() {
        return scene.pages(TaskState.SCHEDULED, TaskFilter.ALL, 500);
    }

    private void passSilence() {
        clock.addAndGet(OperationPut.SILENCE.plusSeconds(1).toMillis());
    }

    @Test
    void operationWhenAnotherProcessRunsItIsSeenFollowedStoppedAndResumedFromHere() {
        String handle = startedByOne(MANY);
        assertThat(seenBy(other, handle).done()).isEqualTo(PAGE);
        assertThat(other.bulk().all(EVE)).extracting(OperationView::handle).containsExactly(handle);
        assertThat(seenBy(other, handle).status()).isEqualTo(Status.RUNNING);

        OperationView stopped = stopped(other, handle);
        assertThat(stopped.status()).isEqualTo(Status.STOPPED);
        assertThat(stopped.done()).isEqualTo(2 * PAGE);
        assertThat(seenBy(one, handle)).isEqualTo(stopped);
        assertThat(waiting()).hasSize(MANY - 2 * PAGE);

        gateOfOther.allow(0);
        assertThat(other.bulk().resume(EVE, handle).orElseThrow().status()).isEqualTo(Status.RUNNING);
        assertThat(seenBy(one, handle).status()).isEqualTo(Status.RUNNING);
        gateOfOther.open();
        OperationView done = ended(one, handle);
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(MANY);
        assertThat(done.matched()).isEqualTo(MANY);
        assertThat(waiting()).isEmpty();
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
    void dryRunWhenAnotherProcessHasMadeItIsSeenHere() {
        scene.schedule();
        String handle = one.bulk()
                .start(EVE, new BulkRequest(QUEUE, BulkAction.CANCEL, TaskFilter.ALL, null, true))
                .handle();

        OperationView counted = ended(other, handle);
        assertThat(counted.status()).isEqualTo(Status.DONE);
        assertThat(counted.matched()).isEqualTo(TASKS);
        assertThat(counted.dryRun()).isTrue();
    }

    @Test
    void operationWhenItsProcessWasKilledIsResumedByAnotherFromWhereItWas() throws Exception {
        scene.schedule(MANY);
        String handle;
        try (BulkProcess process = BulkProcess.start(scene.redis.port(), scene.redis.prefix())) {
            process.await(() -> !other.bulk().all(EVE).isEmpty()
                    && other.bulk().all(EVE).get(0).done() >= PAGE);
            handle = other.bulk().all(EVE).get(0).handle();
            assertThat(seenBy(other, handle).process()).startsWith(process.pid() + "@");
            process.kill();
        }
        assertThat(waiting()).hasSize(MANY - PAGE);
        assertThat(other.bulk().resume(EVE, handle).orElseThrow().status())
                .as("that may be alive")
                .isEqualTo(Status.RUNNING);
        assertThat(waiting()).hasSize(MANY - PAGE);

        passSilence();
        assertThat(seenBy(other, handle).status()).isEqualTo(Status.FAILED);
        assertThat(seenBy(other, handle).error()).contains("resume");
        other.bulk().resume(EVE, handle);

        OperationView done = ended(other, handle);
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(MANY);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void operationWhenAnotherProcessHasTakenItOverEndsHere() {
        String handle = startedByOne(4 * PAGE);
        passSilence();
        gateOfOther.allow(1);
        assertThat(other.bulk().resume(EVE, handle).orElseThrow().status()).isEqualTo(Status.RUNNING);
        gateOfOther.awaitOperation();

        gateOfOne.open();

        await().untilAsserted(() -> assertThat(scene.audit)
                .anyMatch(entry ->
                        entry.outcome().startsWith("STOPPED") && entry.outcome().contains("resumed the operation")));
        assertThat(seenBy(one, handle).status()).isEqualTo(Status.RUNNING);
        assertThat(seenBy(one, handle).done()).isEqualTo(2 * PAGE);
        gateOfOther.open();
        // The page that the first one changed after its last note is not counted.
        assertThat(ended(one, handle).done()).isEqualTo(3 * PAGE);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void resumeWhenTwoAskForItInOneProcessGoesOnOnce() {
        String handle = startedByOne(MANY);
        stopped(one, handle);
        gateOfOther.allow(0);

        assertThat(other.bulk().resume(EVE, handle).orElseThrow().status()).isEqualTo(Status.RUNNING);
        other.bulk().resume(Caller.unknown("bob"), handle);

        gateOfOther.open();
        assertThat(ended(one, handle).done()).isEqualTo(MANY);
        assertThat(scene.audit)
                .filteredOn(entry -> entry.action().equals("operation-resume"))
                .extracting(AuditEntry::who, AuditEntry::outcome)
                .containsExactly(tuple("eve", "done"), tuple("bob", "refused: running"));
    }

    /** The other process has read its progress, and claims it after this one has done the rest. */
    @Test
    void resumeWhenAnotherProcessHasGoneOnMeanwhileDoesNotRunItAgain() {
        String handle = startedByOne(MANY);
        stopped(one, handle);
        Caller bob = Caller.unknown("bob");
        try (QueueControl late = control(gateOfOther, beforeAClaim(scene.redis.store(), () -> {
            one.bulk().resume(EVE, handle);
            ended(one, handle);
            scene.schedule();
        }))) {
            assertThat(late.bulk().resume(bob, handle).orElseThrow().status()).isEqualTo(Status.DONE);
        }
        assertThat(waiting()).as("scheduled after it was done").hasSize(TASKS);
        assertThat(scene.audit)
                .filteredOn(entry -> entry.action().equals("operation-resume"))
                .extracting(AuditEntry::who, AuditEntry::outcome)
                .containsExactly(tuple("eve", "done"), tuple("bob", "refused: done"));
    }

    /** The same store; something happens just before a claim gets there. */
    private static TaskStore beforeAClaim(TaskStore store, Runnable happens) {
        return InterceptedStore.around(store, (target, method, arguments) -> {
            if (method.getName().equals("put") && ((OperationPut) arguments[1]).act() == OperationPut.Act.CLAIM) {
                happens.run();
            }
            return method.invoke(target, arguments);
        });
    }

    @Test
    void auditWhenOneResumesWhatAnotherBeganNamesWhoDidAndCountsWhatTheyChanged() {
        String handle = startedByOne(MANY);
        long before = stopped(one, handle).done();

        other.bulk().resume(Caller.unknown("bob"), handle);
        OperationView done = ended(one, handle);

        assertThat(done.done()).isEqualTo(MANY);
        assertThat(done.by()).isEqualTo("eve");
        assertThat(scene.audit)
                .filteredOn(entry -> entry.outcome().endsWith(handle))
                .extracting(AuditEntry::who, entry -> entry.outcome().split(" ")[0], AuditEntry::count)
                .containsExactly(
                        tuple("eve", "started", 0L),
                        tuple("eve", "STOPPED", before),
                        tuple("bob", "DONE", MANY - before));
    }

    @Test
    void auditWhenAnOperationElsewhereHasEndedSaysThatNothingWasStoppedOrResumed() {
        scene.schedule();
        String handle = one.bulk().start(EVE, CANCEL).handle();
        ended(other, handle);

        other.bulk().stop(EVE, handle);
        other.bulk().resume(EVE, handle);

        assertThat(scene.audit)
                .filteredOn(entry -> !entry.action().equals("operation-cancel"))
                .extracting(AuditEntry::action, AuditEntry::outcome)
                .containsExactly(tuple("operation-stop", "not running"), tuple("operation-resume", "refused: done"));
    }

    @Test
    void operationsWhenTheCallerMayNotReadTheQueueAreNotShownNorSteered() {
        String handle = startedByOne(MANY);
        scene.permissions = Set.of(QueuePermission.READ);
        assertThatExceptionOfType(AccessRefusedException.class)
                .isThrownBy(() -> other.bulk().stop(EVE, handle));
        assertThat(seenBy(other, handle).status()).isEqualTo(Status.RUNNING);

        scene.permissions = Set.of();
        assertThat(other.bulk().all(EVE)).isEmpty();
        assertThat(other.bulk().find(EVE, handle)).isEmpty();
        assertThat(other.bulk().stop(EVE, handle)).isEmpty();
        assertThat(other.bulk().resume(EVE, handle)).isEmpty();
    }

    @Test
    void operationsWhenManyHaveEndedAreTheLastHundredOfTheirKind() {
        scene.schedule();
        String change = one.bulk().start(EVE, CANCEL).handle();
        ended(one, change);
        String first = "";
        for (int i = 0; i < 102; i++) {
            String handle = one.bulk()
                    .start(EVE, new BulkRequest(QUEUE, BulkAction.CANCEL, TaskFilter.ALL, null, true))
                    .handle();
            ended(one, handle);
            first = i == 0 ? handle : first;
        }
        assertThat(other.bulk().all(EVE))
                .hasSize(101)
                .anyMatch(operation -> operation.handle().equals(change));
        assertThat(other.bulk().find(EVE, first)).isEmpty();
        assertThat(scene.redis.millisToLive("{operations}:operations"))
                .isBetween(Duration.ofHours(23).toMillis(), Duration.ofHours(24).toMillis());
    }

    @Test
    void operationsWhenSomethingElseWroteThereAreTheOthers() {
        scene.redis.putHash("{operations}:operations", "x", "y");
        scene.redis.putHash("{operations}:operations", "z", "1:5:0:0::queue=orders\n");
        String handle = one.bulk().start(EVE, CANCEL).handle();

        assertThat(ended(other, handle).status()).isEqualTo(Status.DONE);
        assertThat(other.bulk().all(EVE)).hasSize(1);
        assertThat(other.bulk().find(EVE, "z")).isEmpty();
        assertThat(other.bulk().find(EVE, "")).isEmpty();
    }

    @Test
    void recordWhenWrittenAndReadIsTheSame() {
        TaskFilter filter = new TaskFilter(
                "a b=\n:%", ControlScene.at(1).plusNanos(7), null, "reason é", true, "kind", "h", "v\\", true);
        BulkRequest request = new BulkRequest(
                QUEUE, BulkAction.RESCHEDULE, filter, ControlScene.at(3), Duration.ofHours(2), null, null, false);
        OperationRecord fresh = OperationRecord.of("handle", request, "eve\n=x", ControlScene.at(0));
        OperationRecord later = fresh.resumedBy(Caller.unknown("bob:="))
                .with(new Progress(
                        2,
                        new TaskFilter(
                                "a b=\n:%",
                                ControlScene.at(1).plusNanos(7),
                                ControlScene.at(9),
                                "reason é",
                                true,
                                "kind",
                                "h",
                                "v\\",
                                true),
                        ControlScene.at(5),
                        new TaskPosition(3, ControlScene.at(2), "é\ud83d"),
                        new OperationRecord.Counts(17, 11, 2, 6),
                        new OperationRecord.Erased(1, 3, 4, true)))
                .abandoned();

        for (OperationRecord each : List.of(fresh, later)) {
            assertThat(OperationRecord.parse(each.handle(), each.asText())).isEqualTo(each);
        }
        String handle = later.handle();
        for (String broken : List.of(
                later.asText().replace("RESCHEDULE", "UNSCHEDULE"),
                later.asText().replaceFirst("\"idPrefix\":[^,]*,", ""),
                later.asText().replace("\"idPrefix\":", "\"idSuffix\":\"z\",\"idPrefix\":"),
                later.asText().replace("17", "null"),
                later.asText().replace(handle, "another"),
                "{}",
                "queue=orders")) {
            assertThat(OperationRecord.parse(handle, broken)).as(broken).isNull();
        }
    }
}
