// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TriggerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two workers with batches of three; a worker is at work until the test runs what it was given. */
class WorkQueueTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EngineThreads threads = new EngineThreads(new Scheduler());
    private final NotedDeliveries deliveries = new NotedDeliveries();
    private final Queue<Runnable> atWork = new ConcurrentLinkedQueue<>();
    private final List<List<String>> batches = new ArrayList<>();
    private final AtomicInteger passes = new AtomicInteger();
    private final ScanLoop loop = new ScanLoop("orders", threads, true, Duration.ofMinutes(1), passes::incrementAndGet);
    private boolean oneByOne;
    private int batchesAhead;
    private boolean closed;
    private @Nullable Duration gathersFor;
    private boolean timeStandsStill;
    private WorkQueue work;
    private BatchWorkers workers;

    @AfterEach
    void close() {
        threads.close();
    }

    private void prepare() {
        LibraryDestination destination = new LibraryDestination() {
            @Override
            public void deliver(List<OpenDelivery> batch) {
                batches.add(batch.stream().map(Delivery::id).toList());
                batch.forEach(delivery -> delivery.settle(Outcome.delivered()));
            }

            @Override
            public boolean deliversOneByOne() {
                return oneByOne;
            }

            @Override
            public @Nullable Duration gathersFor() {
                return gathersFor;
            }

            @Override
            public int batchesAhead() {
                return batchesAhead;
            }
        };
        TriggerSettings trigger = new TriggerSettings(true, 2, null, 3, Duration.ofMinutes(1), Duration.ofSeconds(1));
        QueueDelivery delivery = new QueueDelivery(
                QueueSettingsBuilder.of("orders")
                        .maxLeaseExpiries(3)
                        .trigger(trigger)
                        .build(),
                destination,
                InterceptorChain.EMPTY);
        work = new WorkQueue(delivery, () -> timeStandsStill, loop);
        workers = new BatchWorkers(
                delivery,
                new Handover(delivery, null),
                batch -> {
                    if (closed) {
                        throw new RejectedExecutionException("closed");
                    }
                    atWork.add(batch);
                },
                work);
    }

    private List<LeasedDelivery> of(String... ids) {
        return Stream.of(ids).map(deliveries::delivery).toList();
    }

    private List<LeasedDelivery> some(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> deliveries.delivery("task-" + number))
                .toList();
    }

    /** Delivered, but not settled. */
    private void deliver(int tasks) {
        work.add(some(tasks), true);
        while (!work.handTo(workers)) {
            runAll();
        }
        runAll();
    }

    private void runAll() {
        for (Runnable batch = atWork.poll(); batch != null; batch = atWork.poll()) {
            batch.run();
        }
    }

    @Test
    void handToWhenOneIsASuspectHandsItOverAlone() {
        gathersFor = Duration.ZERO;
        oneByOne = true;
        prepare();
        work.add(List.of(deliveries.delivery("a"), deliveries.suspect("b"), deliveries.delivery("c")), true);
        work.handTo(workers);
        runAll();
        work.handTo(workers);
        runAll();
        assertThat(batches).containsExactly(List.of("a"), List.of("b"), List.of("c"));
    }

    @Test
    void freeWhenSettlingIsSlowShrinksToZero() {
        prepare();
        deliver(10);
        assertThat(work.free()).as("twelve may be under lease").isEqualTo(2);
        deliver(2);
        assertThat(work.free()).isZero();
        work.leaveOut(5);
        assertThat(work.free()).isEqualTo(5);
        work.leaveOut(0);
        work.taskDone();
        assertThat(work.free()).isEqualTo(1);
    }

    @Test
    void freeWhenTheDestinationHoldsBatchesGoesOnByAsMany() {
        batchesAhead = 3;
        prepare();
        for (int batch = 0; batch < 7; batch++) {
            assertThat(work.free()).as("batch %s", batch).isGreaterThanOrEqualTo(3);
            deliver(3);
        }
        assertThat(work.free()).isZero();
    }

    @Test
    void taskDoneAndWorkerDoneHaveAPassFollowOnlyIfCapacityWasTooSmall() {
        prepare();
        work.watchCapacity();
        work.hadEnough();
        deliver(4);
        for (int i = 0; i < 3; i++) {
            work.taskDone();
        }
        assertThat(loop.isEnding()).isFalse();
        assertThat(passes).hasValue(0);

        work.watchCapacity();
        work.taskDone();
        await().atMost(PATIENCE).until(() -> passes.get() == 1);
        assertThat(work.isIdleBut(0, 0)).isTrue();
        deliver(1);
        await().atMost(PATIENCE).until(() -> passes.get() == 2);
    }

    @Test
    void addWhenNoRoomWasReservedReleasesThoseThatNoWorkerIsIdleFor() {
        prepare();
        work.add(of("a", "b", "c", "d"), true);
        work.add(of("late-1", "late-2", "late-3"), false);

        assertThat(deliveries.notes()).containsExactly("RELEASE late-3");
        work.handTo(workers);
        runAll();
        assertThat(batches).containsExactly(List.of("a", "b", "c"), List.of("d", "late-1", "late-2"));
    }

    @Test
    void releaseAllGivesBackWhatWaitsForAWorker() {
        prepare();
        work.add(of("a"), true);

        work.releaseAll();

        assertThat(deliveries.notes()).containsExactly("RELEASE a");
    }

    @Test
    void handToWhenABatchIsGatheredWaitsAndThenHandsItOver() {
        gathersFor = Duration.ofMillis(50);
        oneByOne = true;
        prepare();
        work.add(of("a"), true);

        assertThat(work.handTo(workers)).isTrue();
        assertThat(atWork).isEmpty();
        await().atMost(PATIENCE).until(() -> passes.get() >= 1);
        work.handTo(workers);
        runAll();
        assertThat(batches).containsExactly(List.of("a"));
    }

    @Test
    void handToWhenTheThreadsAreClosedReleasesTheBatch() {
        prepare();
        work.add(of("a", "b"), true);
        closed = true;

        work.handTo(workers);

        assertThat(deliveries.notes()).containsExactly("RELEASE a", "RELEASE b");
        assertThat(work.isIdleBut(0, 2)).isTrue();
    }
}
