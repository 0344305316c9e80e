// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A running queue over a store that needs no server: what the poller takes, when, and what becomes of it at the end.
 */
class PollerTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HandMadeStore store = new HandMadeStore();
    private final EngineParts engine = EngineParts.of(
            store.store(), Shardings.fixed(queue -> Sharding.initial(2)), new Scheduler(), EngineHooks.NONE);
    private final Noting destination = new Noting();
    private final Wakes wakes = new Wakes();
    private ShardOwnership ownership = ShardOwnership.EVERYONE;
    private Duration maxIdleInterval = Duration.ofMinutes(1);
    private @Nullable RunningQueue running;

    @AfterEach
    void close() {
        destination.mayEnd.countDown();
        if (running != null) {
            running.stop(Thread.currentThread());
        }
        engine.threads().close();
        engine.scheduler().close();
    }

    private RunningQueue start(int threads, int batchSize) {
        TriggerSettings trigger =
                new TriggerSettings(true, threads, null, batchSize, maxIdleInterval, Duration.ofSeconds(5));
        QueueSettings queue = QueueSettings.builder("orders")
                .shards(2)
                .maxLeaseExpiries(3)
                .trigger(trigger)
                .build();
        RunningQueue started = new RunningQueue(
                new QueueDelivery(queue, destination, InterceptorChain.EMPTY),
                engine,
                engine.threads().workers());
        started.start(wakes, ownership);
        running = started;
        return started;
    }

    @Test
    void scanTakesWhatIsDueInEveryShard() {
        store.put(0, "a");
        store.put(1, "b");

        start(2, 3);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(store.ended).containsExactlyInAnyOrder("ACK a", "ACK b"));
    }

    @Test
    void scanWhenWorkersAreBusyTakesNoMoreThanTheyCarry() {
        destination.holdUp();
        for (int i = 0; i < 20; i++) {
            store.put(0, "task-" + i);
        }
        start(2, 3);
        await().atMost(PATIENCE).until(() -> destination.batches.size() == 2);
        int asked = store.requested();
        wakes.all();
        wakes.all();

        await().atMost(PATIENCE).until(() -> wakes.calledForHelp.contains(0));
        assertThat(store.requested())
                .as("nothing is taken while nobody is idle")
                .isEqualTo(asked);
        assertThat(destination.batches).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(3));
        destination.mayEnd.countDown();
        await().atMost(PATIENCE).until(() -> store.ended.size() == 20);
    }

    @Test
    void scanWhenTheDestinationIsUnavailableCallsForHelpForItsOwnShards() {
        destination.unavailable = Duration.ofMinutes(1);
        ownership = (queue, onChange) -> shard -> shard == 1;
        store.put(0, "a");
        start(2, 3);

        await().atMost(PATIENCE).until(() -> !wakes.calledForHelp.isEmpty());

        assertThat(wakes.calledForHelp).containsExactly(1);
        assertThat(store.requested()).isZero();
    }

    @Test
    void scanWhenAnAcquireFailsIsTriedAgain() {
        store.answers.add(CompletableFuture.failedFuture(new TaskStoreUnavailableException("down", true, null)));
        store.answers.add(CompletableFuture.failedFuture(new TaskStoreUnavailableException("down", true, null)));
        store.put(0, "a");
        store.put(1, "b");

        start(2, 3);

        await().atMost(PATIENCE).until(() -> store.ended.size() == 2);
        assertThat(store.requested()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void scanWhenAPassThrowsGoesOnAfterTheMaxIdleInterval() {
        maxIdleInterval = Duration.ofMillis(100);
        destination.thrown = new StackOverflowError();
        store.put(0, "a");
        long begin = System.nanoTime();

        start(2, 3);

        await().atMost(PATIENCE).until(() -> store.ended.size() == 1);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(maxIdleInterval.toNanos());
    }

    @Test
    void wakeWhenAnotherProcessOwnsTheShardLeavesItToThatUntilItAsksForHelp() {
        ownership = (queue, onChange) -> shard -> shard == 1;
        start(2, 3);
        await().atMost(PATIENCE).until(() -> store.requested() == 2);
        store.put(0, "a");

        wakes.one(0);
        wakes.one(1);
        await().atMost(PATIENCE).until(() -> store.requested() == 3);
        assertThat(store.ended).as("only its own shard was asked").isEmpty();
        wakes.help(0);

        await().atMost(PATIENCE).until(() -> store.ended.contains("ACK a"));
    }

    @Test
    void scanWhenSuspectsAreIsolatedDeliversOneOfThemAtATime() {
        destination.oneByOne = true;
        for (int i = 0; i < 6; i++) {
            store.put(i % 2, HandMadeStore.task("suspect-" + i, Instant.now(), 1));
        }

        start(4, 3);

        await().atMost(PATIENCE).until(() -> store.ended.size() == 6);
        assertThat(destination.mostSuspects).hasValue(1);
        assertThat(store.acquires).extracting(AcquireRequest::maxSuspects).allMatch(most -> most <= 1);
    }

    @Test
    void stopWhenADeliveryWaitsForItsTurnReleasesItAndWaitsForTheOther() throws Exception {
        destination.oneByOne = true;
        store.put(0, "quick");
        RunningQueue stopping = start(1, 3);
        await().atMost(PATIENCE).until(() -> store.ended.remove("ACK quick"));
        destination.holdUp();
        store.put(0, "task-0");
        store.put(0, "task-1");
        wakes.all();
        await().atMost(PATIENCE).until(() -> destination.batches.size() == 2);
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        new Thread(() -> stopped.complete(stopping.stop(Thread.currentThread()))).start();

        await().atMost(PATIENCE).until(() -> !store.ended.isEmpty());
        assertThat(store.ended).containsExactly("released task-1");
        assertThat(stopped).isNotDone();
        destination.mayEnd.countDown();

        assertThat(stopped.get()).isTrue();
        assertThat(store.ended).contains("ACK task-0");
        running = null;
    }

    @Test
    void stopWhenADeliveryStopsItsOwnQueueDoesNotWaitForItself() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        destination.inDelivery = () -> stopped.complete(running.stop(Thread.currentThread()));
        RunningQueue started = start(1, 1);
        assertThat(started).isSameAs(running);
        store.put(0, "a");
        wakes.all();

        assertThat(stopped).succeedsWithin(PATIENCE).isEqualTo(true);
        await().atMost(PATIENCE).until(() -> store.ended.contains("ACK a"));
        running = null;
    }

    private static final class Noting implements TaskDestination {

        private final Queue<List<String>> batches = new ConcurrentLinkedQueue<>();
        private final AtomicInteger suspects = new AtomicInteger();
        private final AtomicInteger mostSuspects = new AtomicInteger();
        private volatile CountDownLatch mayEnd = new CountDownLatch(0);
        private volatile boolean oneByOne;
        private volatile Duration unavailable = Duration.ZERO;
        private volatile Runnable inDelivery = () -> {};
        private volatile @Nullable Error thrown;

        void holdUp() {
            mayEnd = new CountDownLatch(1);
        }

        @Override
        public void deliver(List<OpenDelivery> deliveries) {
            batches.add(deliveries.stream().map(OpenDelivery::id).toList());
            for (OpenDelivery delivery : deliveries) {
                if (oneByOne && !delivery.begin()) {
                    continue;
                }
                if (delivery.isSuspect()) {
                    mostSuspects.accumulateAndGet(suspects.incrementAndGet(), Math::max);
                }
                awaitEnd();
                inDelivery.run();
                if (delivery.isSuspect()) {
                    suspects.decrementAndGet();
                }
                delivery.settle(Outcome.delivered());
            }
        }

        private void awaitEnd() {
            try {
                mayEnd.await();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        }

        @Override
        public Duration unavailableFor() {
            Error once = thrown;
            if (once != null) {
                thrown = null;
                throw once;
            }
            return unavailable;
        }

        @Override
        public boolean deliversOneByOne() {
            return oneByOne;
        }
    }

    /** What other processes say, and what they hear. */
    private static final class Wakes implements WakeSignals {

        private final Queue<Integer> calledForHelp = new ConcurrentLinkedQueue<>();
        private volatile @Nullable Listener listener;

        @Override
        public Registration listen(String queue, Listener heard) {
            listener = heard;
            return new Registration() {
                @Override
                public void callForHelp(int shard) {
                    calledForHelp.add(shard);
                }

                @Override
                public void close() {}
            };
        }

        void all() {
            listener.wakeAll();
        }

        void one(int shard) {
            listener.wake(shard);
        }

        void help(int shard) {
            listener.help(shard);
        }
    }
}
