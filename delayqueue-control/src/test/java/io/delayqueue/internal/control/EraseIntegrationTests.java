// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static io.delayqueue.internal.control.ControlScene.TASKS;
import static io.delayqueue.internal.control.ControlScene.home;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueException;
import io.delayqueue.HistoryEntry;
import io.delayqueue.TaskState;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Erasures delete tasks and what is recorded about them. */
class EraseIntegrationTests {

    private static final TaskFilter VIP = TaskFilter.ALL.withIdPrefix("vip-");
    private static final TaskFilter ACME = TaskFilter.ALL.withHeader("tenant", "acme");
    private static final int VIPS = TASKS / 3;

    private final ControlScene scene = new ControlScene(null, new StoreFixture(queue -> 10_000, QueueClock.SERVERS));
    private final BulkOperations bulk = scene.control.operations();
    private final Outbox outbox = new Outbox();

    /** Ids of rows. */
    private static final class Outbox implements PendingChanges {

        private final List<String> rows = new CopyOnWriteArrayList<>();
        private boolean fails;

        /** Whether the second row is locked. */
        private volatile boolean locked;

        @Override
        public String place() {
            return "a list";
        }

        @Override
        public long count() {
            return rows.size();
        }

        @Override
        public void hurry() {}

        @Override
        public boolean erase(String queue, String idPrefix, LongPredicate goesOn) {
            for (String row : List.copyOf(rows)) {
                if (row.startsWith(idPrefix)) {
                    rows.remove(row);
                    boolean continues = goesOn.test(1);
                    while (continues && locked) {
                        LockSupport.parkNanos(1_000_000);
                        continues = goesOn.test(0);
                    }
                    if (!continues) {
                        return false;
                    }
                    if (fails) {
                        throw new DelayQueueException("The database is away");
                    }
                }
            }
            return true;
        }
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private OperationView ended(OperationView started) {
        return await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> bulk.find(started.handle()).orElseThrow(),
                        operation -> operation.status() != Status.RUNNING);
    }

    private static OperationView.Erased erased(OperationView operation) {
        return Objects.requireNonNull(operation.erased());
    }

    private List<String> history(String id) {
        return scene.admin.history(QUEUE, id).stream().map(HistoryEntry::event).toList();
    }

    private void due(String id) {
        scene.template.schedule(requestTo(QUEUE, id, "secret", Instant.EPOCH));
    }

    private void deliver(String id) {
        due(id);
        long token = scene.lease(id);
        scene.redis
                .store()
                .leases()
                .settle(home(id), List.of(Settlement.ack(id, token)))
                .join();
    }

    /** Scheduled, dead and delivered tasks, and one in progress. */
    private void tasksOfAllKinds() {
        scene.schedule();
        scene.makeDead(List.of("vip-dead", "t-dead"));
        deliver("vip-old");
        deliver("t-old");
        due("vip-busy");
        scene.lease("vip-busy");
        outbox.rows.addAll(List.of("vip-3", "vip-unsent", "t-1"));
        scene.outboxes.add(outbox);
    }

    private OperationView counted(TaskFilter filter) {
        return ended(scene.control.bulk().start(EVE, new BulkRequest(QUEUE, BulkAction.ERASE, filter, null, true)));
    }

    @Test
    void eraseWhenAPrefixSelectsDeletesAlsoWhatIsRecordedAboutEarlierTasks() {
        tasksOfAllKinds();
        OperationView done = ended(bulk.erase(QUEUE, VIP));

        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(done.matched()).isEqualTo(VIPS + 1);
        assertThat(done.done()).isEqualTo(VIPS + 1);
        assertThat(done.left()).isZero();
        OperationView.Erased erased = erased(done);
        assertThat(erased.inProgress()).isEqualTo(1);
        assertThat(erased.historyEntries())
                .as("cancelled, dead and discarded, delivered")
                .isEqualTo(VIPS + 2 + 1);
        assertThat(erased.outboxRows()).isEqualTo(2);
        assertThat(erased.remains())
                .anyMatch(text -> text.contains("backups"))
                .anyMatch(text -> text.contains("held back"))
                .anyMatch(text -> text.contains("shift"))
                .noneMatch(text -> text.contains("cannot reach"));
        assertThat(scene.pages(TaskState.SCHEDULED, TaskFilter.ALL, 500)).hasSize(TASKS - VIPS);
        assertThat(scene.pages(TaskState.DEAD, TaskFilter.ALL, 500)).containsExactly("t-dead");
        assertThat(scene.pages(TaskState.LEASED, TaskFilter.ALL, 500)).containsExactly("vip-busy");
        assertThat(Stream.of("vip-0", "vip-dead", "vip-old"))
                .allSatisfy(id -> assertThat(history(id)).isEmpty());
        assertThat(history("t-old")).containsExactly("delivered");
        assertThat(outbox.rows).containsExactly("t-1");
        assertThat(scene.audit).extracting(AuditEntry::action).containsExactly("operation-erase", "operation-erase");
        assertThat(ended(bulk.erase(QUEUE, VIP)).matched()).as("repeated").isZero();
    }

    @Test
    void dryRunWhenMadeCountsAndDeletesNothing() {
        tasksOfAllKinds();

        OperationView counted = counted(VIP);

        assertThat(counted.matched()).isEqualTo(VIPS + 1);
        assertThat(counted.done()).isZero();
        assertThat(erased(counted).inProgress()).isEqualTo(1);
        assertThat(erased(counted).outboxRows()).isZero();
        assertThat(scene.pages(TaskState.SCHEDULED, VIP, 500)).hasSize(VIPS);
        assertThat(history("vip-old")).containsExactly("delivered");
        assertThat(outbox.rows).hasSize(3);
    }

    @Test
    void eraseWhenTheFilterHasOtherConditionsIsRefused() {
        for (TaskFilter filter : List.of(ACME, VIP.between(null, ControlScene.at(1)), VIP.onlyRetrying())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bulk.erase(QUEUE, filter))
                    .withMessageContaining("only by key, group or id prefix");
        }
        assertThat(bulk.all()).isEmpty();
    }

    /** The queue had eight shards before. Some of the four that are left over may have no history. */
    @Test
    void eraseWhenAReshardRemovedShardsDeletesTheirHistory() {
        HistoryStore histories = scene.redis.store().history();
        for (int index : List.of(5, 7)) {
            Shard removed = new Shard(QUEUE, index);
            scene.redis.makeDead(removed, List.of("vip-" + index, "t-" + index));
            assertThat(histories.page(removed, "", 10, "vip-" + index).join().entries())
                    .isNotEmpty();
        }

        OperationView done = ended(bulk.erase(QUEUE, VIP));

        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(erased(done).historyEntries()).isEqualTo(2);
        assertThat(erased(done).remains()).anyMatch(text -> text.contains("outbox that this process cannot reach"));
        for (int index : List.of(5, 7)) {
            Shard removed = new Shard(QUEUE, index);
            assertThat(histories.page(removed, "", 10, "vip-" + index).join().entries())
                    .isEmpty();
            assertThat(histories.page(removed, "", 10, "t-" + index).join().entries())
                    .hasSize(1);
        }
    }

    /** The tasks are gone by then. */
    @Test
    void eraseWhenARunFailsAtTheHistoryIsCompletedByTheNextRun() {
        scene.schedule();
        scene.redis.damage(new Shard(QUEUE, 1), "history");

        OperationView failed = ended(bulk.erase(QUEUE, VIP));

        assertThat(failed.status()).isEqualTo(Status.FAILED);
        scene.redis.remove(new Shard(QUEUE, 1), "history");
        Function<Predicate<Integer>, List<String>> vips = shards -> Stream.iterate(0, i -> i + 3)
                .limit(VIPS)
                .map(ControlScene::id)
                .filter(id -> shards.test(home(id).index()))
                .toList();
        List<String> kept = vips.apply(shard -> shard != 1);
        assertThat(kept).isNotEmpty();
        assertThat(erased(failed).historyEntries()).isEqualTo(kept.size());
        scene.redis.makeDead(new Shard(QUEUE, 1), List.of("vip-late"));
        OperationView done = ended(bulk.resume(failed.handle()).orElseThrow());

        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(kept).allSatisfy(id -> assertThat(history(id)).isEmpty());
        assertThat(erased(done).historyEntries()).isEqualTo(kept.size() + 1);
    }

    @Test
    void eraseWhenStoppedAtTheHistoryIsCompletedByTheNextRun() {
        AtomicInteger pages = new AtomicInteger();
        scene.gate.afterPage = pages::incrementAndGet;
        assertThat(ended(bulk.erase(QUEUE, VIP)).status()).isEqualTo(Status.DONE);
        scene.redis.makeDead(new Shard(QUEUE, 5), List.of("vip-5"));
        scene.gate.allow(0);
        OperationView started = bulk.erase(QUEUE, VIP);
        scene.gate.afterPage = () -> {
            if (pages.decrementAndGet() == 0) {
                bulk.stop(started.handle());
            }
        };
        scene.gate.open();

        OperationView stopped = ended(started);

        assertThat(stopped.status()).as(stopped.error()).isEqualTo(Status.STOPPED);
        assertThat(erased(stopped).historyEntries()).isZero();
        OperationView done = ended(bulk.resume(started.handle()).orElseThrow());
        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(erased(done).historyEntries()).isEqualTo(1);
    }

    @Test
    void eraseWhenStoppedAtTheOutboxChangesNoTaskAndIsResumed() {
        tasksOfAllKinds();
        outbox.locked = true;
        OperationView started = bulk.erase(QUEUE, VIP);
        await().until(() -> outbox.rows.size() == 2);
        bulk.stop(started.handle());

        OperationView stopped = ended(started);

        assertThat(stopped.status()).as(stopped.error()).isEqualTo(Status.STOPPED);
        assertThat(erased(stopped).outboxRows()).isEqualTo(1);
        assertThat(outbox.rows).containsExactly("vip-unsent", "t-1");
        assertThat(scene.pages(TaskState.SCHEDULED, VIP, 500)).hasSize(VIPS);
        outbox.locked = false;
        OperationView done = ended(bulk.resume(stopped.handle()).orElseThrow());
        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(VIPS + 1);
        assertThat(erased(done).outboxRows()).isEqualTo(2);
        assertThat(outbox.rows).containsExactly("t-1");
    }

    @Test
    void eraseWhenTheOutboxFailsChangesNoTaskAndIsResumed() {
        tasksOfAllKinds();
        outbox.fails = true;

        OperationView failed = ended(bulk.erase(QUEUE, VIP));

        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(failed.error()).isEqualTo("The database is away");
        assertThat(erased(failed).outboxRows()).isEqualTo(1);
        assertThat(scene.pages(TaskState.SCHEDULED, VIP, 500)).hasSize(VIPS);
        outbox.fails = false;
        OperationView done = ended(bulk.resume(failed.handle()).orElseThrow());
        assertThat(done.done()).isEqualTo(VIPS + 1);
        assertThat(erased(done).outboxRows()).isEqualTo(2);
        assertThat(outbox.rows).containsExactly("t-1");
    }
}
