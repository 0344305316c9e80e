// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static io.delayqueue.internal.control.ControlScene.TASKS;
import static io.delayqueue.internal.control.ControlScene.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskState;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations by filter from code of the application. */
class BulkOperationsIntegrationTests {

    private static final TaskFilter VIP = TaskFilter.ALL.withIdPrefix("vip-");
    private static final int VIPS = TASKS / 3;

    private static final String OPERATIONS = "{operations}:operations";

    private final ControlScene scene = new ControlScene(null);
    private final BulkOperations bulk = scene.control.operations();

    @AfterEach
    void close() {
        scene.close();
    }

    private OperationView ended(OperationView started) {
        return await().pollInterval(Duration.ofMillis(10))
                .until(
                        () -> bulk.find(started.handle()).orElseThrow(),
                        operation -> operation.status() != Status.RUNNING);
    }

    private List<String> waiting(TaskFilter filter) {
        return scene.pages(TaskState.SCHEDULED, filter, 500);
    }

    @Test
    void cancelWhenNobodyHasPermissionsIsTheApplicationsAllTheSame() {
        scene.schedule();
        scene.permissions = Set.of();

        OperationView done = ended(bulk.cancel(QUEUE, VIP));

        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(VIPS);
        assertThat(done.by()).isEqualTo("application");
        assertThat(bulk.all()).extracting(OperationView::handle).containsExactly(done.handle());
        scene.permissions = ControlScene.EVERYTHING;
        assertThat(waiting(TaskFilter.ALL)).hasSize(TASKS - VIPS);
        assertThat(scene.audit).extracting(AuditEntry::action).containsExactly("operation-cancel", "operation-cancel");
    }

    @Test
    void callerWhenNamedLikeTheApplicationHasNoPermissionsByThat() {
        scene.permissions = Set.of();

        assertThatExceptionOfType(UnknownQueueException.class)
                .isThrownBy(() -> scene.control.queue(Caller.unknown("application"), QUEUE));
        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(() -> bulk.cancel("unknown", TaskFilter.ALL));
        assertThat(scene.control.permissions(EVE, QUEUE)).isEmpty();
    }

    @Test
    void rescheduleWhenMadeMovesTheTasksOfTheFilter() {
        scene.schedule();

        OperationView done = ended(bulk.reschedule(QUEUE, VIP, at(1_000)));

        assertThat(done.done()).isEqualTo(VIPS);
        assertThat(waiting(TaskFilter.ALL.between(at(1_000), null))).hasSize(VIPS);
    }

    @ParameterizedTest
    @ValueSource(ints = {7, -7, 500, -500})
    void shiftWhenItsPeriodsOverlapMovesEachTaskOnce(int minutes) {
        scene.schedule();
        Map<String, Long> before = scores();
        Duration by = Duration.ofMinutes(minutes);

        OperationView done = ended(bulk.shift(QUEUE, VIP.between(at(6), at(48)), by));

        assertThat(done.done()).isEqualTo(14);
        assertThat(done.matched()).isEqualTo(14);
        assertThat(done.filter()).containsEntry("by", by.toString());
        Map<String, Long> expected = new TreeMap<>(before);
        for (int i = 6; i < 48; i += 3) {
            expected.computeIfPresent(ControlScene.id(i), (id, due) -> due + by.toMillis());
        }
        assertThat(scores()).isEqualTo(expected);
    }

    @Test
    void shiftWhenTasksAreFarApartMovesRetriesAndLeavesWhatWouldBeTooLate() {
        scene.template.schedule(requestTo(QUEUE, "retried", "p", Instant.EPOCH));
        scene.fail("retried");
        scene.template.schedule(requestTo(QUEUE, "far", "p", Instant.parse("9000-01-01T00:00:00Z")));
        scene.template.schedule(requestTo(QUEUE, "last", "p", Instant.parse("9999-12-31T23:59:30Z")));
        scene.template.schedule(requestTo(QUEUE, "late", "p", Instant.EPOCH.plusSeconds(5)));
        scene.admin.pause(QUEUE);
        Map<String, Long> before = scores();

        OperationView done = ended(bulk.shift(QUEUE, TaskFilter.ALL, Duration.ofMinutes(1)));

        assertThat(done.done()).isEqualTo(3);
        assertThat(done.left()).isEqualTo(1);
        Map<String, Long> expected = new TreeMap<>(before);
        List.of("retried", "far", "late").forEach(id -> expected.merge(id, 60_000L, Long::sum));
        assertThat(scores()).isEqualTo(expected);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bulk.shift(QUEUE, TaskFilter.ALL, Duration.ofMillis(999)));
    }

    @Test
    void shiftWhenNoTaskMatchesEnds() {
        OperationView done = ended(bulk.shift(QUEUE, TaskFilter.ALL, Duration.ofHours(1)));

        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.matched()).isZero();
    }

    /** The second run repeats the last page of the first one, as after a kill before its progress was stored. */
    @Test
    void shiftWhenResumedFromAnOlderRecordMovesNoTaskTwice() {
        scene.schedule();
        Map<String, Long> before = scores();
        Deque<String> records = new ConcurrentLinkedDeque<>();
        scene.gate.afterPage = () -> {
            String record = scene.redis.hash(OPERATIONS).values().iterator().next();
            if (!record.equals(records.peekLast())) {
                records.addLast(record);
            }
            if (records.size() == 3) {
                throw new IllegalArgumentException("killed");
            }
        };
        OperationView killed = ended(bulk.shift(QUEUE, TaskFilter.ALL, Duration.ofMinutes(10)));
        assertThat(killed.status()).isEqualTo(Status.FAILED);
        assertThat(killed.done()).as("two pages have moved").isBetween(2L, 59L);
        scene.gate.afterPage = () -> {};
        String handle = killed.handle();

        records.removeLast();
        scene.redis.putHash(OPERATIONS, handle, records.getLast().replaceFirst("^1:\\d+:", "1:5:"));
        OperationView done = ended(bulk.resume(handle).orElseThrow());

        assertThat(done.status()).isEqualTo(Status.DONE);
        before.replaceAll((id, due) -> due + Duration.ofMinutes(10).toMillis());
        assertThat(scores()).isEqualTo(before);
    }

    @Test
    void spreadWhenRepeatedGivesEachTaskTheSameMomentOfThePeriod() {
        scene.schedule(600);

        OperationView done = ended(bulk.spread(QUEUE, TaskFilter.ALL, at(0), Duration.ofMinutes(60)));

        assertThat(done.done()).isGreaterThan(590);
        Map<String, Long> first = scores();
        long begin = at(0).toEpochMilli();
        long[] quarters = new long[4];
        first.values()
                .forEach(due ->
                        quarters[(int) ((due - begin) / Duration.ofMinutes(15).toMillis())]++);
        assertThat(LongStream.of(quarters).boxed())
                .allSatisfy(tasks -> assertThat(tasks).isBetween(100L, 200L));
        assertThat(ended(bulk.spread(QUEUE, TaskFilter.ALL, at(0), Duration.ofMinutes(60)))
                        .matched())
                .isZero();
        assertThat(scores()).isEqualTo(first);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bulk.spread(QUEUE, TaskFilter.ALL, at(0), Duration.ofMinutes(-1)));
    }

    private Map<String, Long> scores() {
        Map<String, Long> scores = new TreeMap<>();
        for (int shard = 0; shard < ControlScene.SHARDS; shard++) {
            scores.putAll(scene.redis.index(new Shard(QUEUE, shard)));
        }
        return scores;
    }

    @Test
    void deliverWhenPacedMakesTheTasksDueAndRefusesNoPace() {
        scene.schedule();

        OperationView done = ended(bulk.deliver(QUEUE, VIP, 1_000));

        assertThat(done.done()).isEqualTo(VIPS);
        assertThat(waiting(VIP.between(at(0), null))).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> bulk.deliver(QUEUE, VIP, 0));
    }
}
