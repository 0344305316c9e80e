// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.FIRST;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TestQueues;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations on many tasks while the number of shards changes. */
@Timeout(60)
class BulkReshardIntegrationTests {

    private static final BulkRequest CANCEL = new BulkRequest(QUEUE, BulkAction.CANCEL, TaskFilter.ALL, null, false);

    private final TestQueues queues =
            new TestQueues(QueueSettingsBuilder.of(QUEUE).shards(4).build());
    private final ControlScene.Gate gate = new ControlScene.Gate(queues.admin());
    private final QueueControl control = new QueueControl(
            gate.admin(),
            queues.template(),
            (caller, queue) -> ControlScene.EVERYTHING,
            null,
            List.of(),
            queues.store(),
            List::of,
            Map::of,
            null);

    @BeforeEach
    void schedule() {
        // The first call connects and loads scripts, which may take longer than a call may.
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            queues.template().schedule(requestTo(QUEUE, "t-0", "x", FIRST));
            return true;
        });
        queues.template()
                .scheduleAll(IntStream.range(0, 3 * ControlScene.PAGE)
                        .mapToObj(number -> ScheduleRequest.to(QUEUE)
                                .id("t-" + number)
                                .payload("x")
                                .dueAt(FIRST)
                                .build())
                        .toList());
    }

    @AfterEach
    void close() {
        control.close();
        queues.close();
    }

    private OperationView endedAfterReshardTo(int shards) {
        return endedAfterReshardTo(shards, CANCEL, 1);
    }

    private OperationView endedAfterReshardTo(int shards, BulkRequest request, int pages) {
        gate.allow(pages);
        String handle = control.bulk().start(EVE, request).handle();
        gate.awaitOperation();
        queues.admin().reshard(QUEUE, shards);
        gate.open();
        return end(handle);
    }

    private OperationView end(String handle) {
        return await().until(
                        () -> control.bulk().find(EVE, handle).orElseThrow(),
                        operation -> operation.status() != Status.RUNNING);
    }

    @Test
    void operationWhenTasksMoveToShardsThatItHasReadFailsAndSaysSo() {
        OperationView ended = endedAfterReshardTo(2);

        assertThat(ended.status()).isEqualTo(Status.FAILED);
        assertThat(ended.error()).contains("it may have missed some of them. Resume it when");

        control.bulk().resume(EVE, ended.handle());
        assertThat(end(ended.handle()).status()).as("the tasks still migrate").isEqualTo(Status.FAILED);
    }

    /** The tasks return to the shards that it has read. */
    @Test
    void operationWhenAReshardIsRevertedFailsToo() {
        gate.allow(1);
        String handle = control.bulk().start(EVE, CANCEL).handle();
        gate.awaitOperation();
        queues.admin().reshard(QUEUE, 8);
        gate.allow(1);
        await().until(() -> control.bulk().find(EVE, handle).orElseThrow().done() > ControlScene.PAGE);
        gate.awaitOperation();
        queues.admin().reshard(QUEUE, 4);
        gate.open();

        assertThat(end(handle).status()).isEqualTo(Status.FAILED);
    }

    @Test
    void operationWhenTasksMoveBetweenItsRunsFailsToo() {
        gate.allow(1);
        String handle = control.bulk().start(EVE, CANCEL).handle();
        gate.awaitOperation();
        control.bulk().stop(EVE, handle);
        gate.open();
        assertThat(end(handle).status()).isEqualTo(Status.STOPPED);
        queues.admin().reshard(QUEUE, 2);

        control.bulk().resume(EVE, handle);

        assertThat(end(handle).status()).isEqualTo(Status.FAILED);
    }

    /** Leases a due task. Returns a call that makes it dead. */
    private Runnable leased(String id) {
        queues.template().schedule(requestTo(QUEUE, id, "x", Instant.EPOCH));
        Shard home = ControlScene.home(id);
        long token = queues.store()
                .leases()
                .acquire(home, Acquires.of(1, Duration.ofMinutes(1), 10, 1 << 20, 1))
                .join()
                .token();
        return () -> queues.store()
                .leases()
                .settle(home, List.of(Settlement.dead(id, token, false, "out of attempts")))
                .join();
    }

    @Test
    void discardWhenItReadsAllAgainLeavesTasksThatDiedAfterItsStart() {
        leased("early").run();
        Runnable late = leased("late");
        OperationView ended =
                endedAfterReshardTo(2, new BulkRequest(QUEUE, BulkAction.DISCARD, TaskFilter.ALL, null, false), 0);
        assertThat(ended.status()).isEqualTo(Status.FAILED);
        assertThat(ended.done()).isEqualTo(1);
        late.run();

        control.bulk().resume(EVE, ended.handle());

        assertThat(end(ended.handle()).done()).isEqualTo(1);
        assertThat(queues.admin().stats(QUEUE).dead()).isEqualTo(1);
    }

    @Test
    void operationWhenTasksMoveToFurtherShardsReachesThemAll() {
        OperationView ended = endedAfterReshardTo(8);

        assertThat(ended.status()).isEqualTo(Status.DONE);
        assertThat(queues.admin().stats(QUEUE).delayed()).isZero();
    }
}
