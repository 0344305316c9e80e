// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DestinationTraits;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetryPolicy;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two workers with batches of three; a worker is at work until the test runs what it was given. */
class ReadyDeliveriesTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EngineThreads threads = new EngineThreads(new Scheduler());
    private final NotedDeliveries deliveries = new NotedDeliveries();
    private final Capacity capacity = new Capacity(2, 3, 0, () -> {});
    private final Queue<Runnable> atWork = new ConcurrentLinkedQueue<>();
    private final List<List<String>> batches = new ArrayList<>();
    private DestinationTraits traits = DestinationTraits.PLAIN;
    private Duration lookAhead = Duration.ZERO;
    private boolean closed;
    private ReadyDeliveries ready;
    private BatchWorkers workers;
    private Passes passes;

    @AfterEach
    void close() {
        threads.close();
    }

    private void prepare() {
        TaskDestination destination = new TaskDestination() {
            @Override
            public void deliver(List<Delivery> batch) {
                batches.add(batch.stream().map(Delivery::id).toList());
                batch.forEach(Delivery::acknowledge);
            }

            @Override
            public DestinationTraits traits() {
                return traits;
            }
        };
        TriggerSettings trigger = new TriggerSettings(
                true, true, 2, null, 3, Duration.ofMinutes(1), Duration.ofSeconds(1), lookAhead, null);
        QueueDelivery delivery = new QueueDelivery(
                new QueueSettings("orders", 1, "json", Duration.ofSeconds(30), 3, RetryPolicy.DEFAULT, trigger),
                destination,
                InterceptorChain.EMPTY);
        passes = new Passes("orders", threads, Duration.ofMinutes(1), this::pass);
        ready = new ReadyDeliveries(delivery, capacity, passes);
        workers = new BatchWorkers(
                delivery,
                null,
                batch -> {
                    if (closed) {
                        throw new RejectedExecutionException("closed");
                    }
                    atWork.add(batch);
                },
                capacity);
    }

    private void pass() {
        passes.takeUpEvents();
        ready.handTo(workers);
    }

    private List<LeasedDelivery> of(String... ids) {
        return Stream.of(ids).map(deliveries::delivery).toList();
    }

    @Test
    void handToWhenMoreAreReadyThanWorkersCarryHandsOverBatchesInOrder() {
        prepare();
        ready.takeOver(of("a", "b", "c", "d", "e", "f", "g"), true);
        ready.handTo(workers);
        assertThat(atWork).hasSize(2);
        atWork.remove().run();
        ready.handTo(workers);
        atWork.remove().run();
        atWork.remove().run();

        assertThat(batches).containsExactly(List.of("a", "b", "c"), List.of("d", "e", "f"), List.of("g"));
        assertThat(capacity.idleWorkers()).isEqualTo(2);
    }

    @Test
    void handToWhenEachIsBegunAloneSharesAmongIdleWorkers() {
        traits = DestinationTraits.PLAIN.beginningEach();
        prepare();
        ready.takeOver(of("a", "b", "c"), true);
        ready.handTo(workers);
        atWork.forEach(Runnable::run);

        assertThat(batches).containsExactly(List.of("a", "b"), List.of("c"));
    }

    @Test
    void takeOverWhenItIsLateReleasesThoseThatNoWorkerIsIdleFor() {
        prepare();
        ready.takeOver(of("a", "b", "c", "d"), true);
        ready.takeOver(of("late-1", "late-2", "late-3"), false);

        assertThat(deliveries.notes()).containsExactly("released late-3");
        ready.handTo(workers);
        atWork.forEach(Runnable::run);
        assertThat(batches).containsExactly(List.of("a", "b", "c"), List.of("d", "late-1", "late-2"));
    }

    @Test
    void takeOverWhenTasksAreNotDueYetHoldsThemBackUntilThen() {
        lookAhead = Duration.ofMillis(100);
        prepare();
        Duration untilDue = Duration.ofMillis(80);
        long begin = System.nanoTime();
        List<LeasedDelivery> taken = List.of(deliveries.delivery("due"), deliveries.delivery("soon", untilDue));

        ready.takeOver(taken, true);
        ready.handTo(workers);
        assertThat(atWork).as("what is due goes at once").hasSize(1);
        assertThat(capacity.free()).as("what is held back takes no worker").isEqualTo(3);

        await().atMost(PATIENCE).until(() -> atWork.size() == 2);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(untilDue.toNanos());
    }

    @Test
    void releaseAllGivesBackWhatWaits() {
        prepare();
        ready.takeOver(of("a", "b"), true);

        ready.releaseAll();
        ready.handTo(workers);

        assertThat(deliveries.notes()).containsExactly("released a", "released b");
        assertThat(atWork).isEmpty();
        assertThat(capacity.room()).isEqualTo(6);
    }

    @Test
    void startWhenTheThreadsAreClosedReleasesTheBatch() {
        prepare();
        ready.takeOver(of("a", "b"), true);
        closed = true;

        ready.handTo(workers);

        assertThat(deliveries.notes()).containsExactly("released a", "released b");
        assertThat(capacity.idleWorkers()).isEqualTo(2);
    }
}
