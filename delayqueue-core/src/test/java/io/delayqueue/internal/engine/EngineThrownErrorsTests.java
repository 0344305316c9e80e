// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.sharding.ShardMigrations;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Periodic work, and work that others wait for: an error ends only one run. */
class EngineThrownErrorsTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Shard SHARD = new Shard("orders", 0);

    /** As where the operating system has no more for this process. */
    private static final ThreadFactory NO_THREADS = step -> new Thread(step) {
        @Override
        public synchronized void start() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    };

    private final AtomicInteger calls = new AtomicInteger();
    private final Scheduler scheduler = new Scheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void movingTasksWhenOneTimeThrowsComesAgain() {
        Shardings shardings = Shardings.fixed(queue -> {
            if (calls.incrementAndGet() == 1) {
                throw new StackOverflowError();
            }
            return Sharding.initial(1);
        });
        try (ShardMigrations migrations = new ShardMigrations(failing(), shardings, scheduler)) {
            migrations.watch("orders");
            await().atMost(PATIENCE).until(() -> calls.get() >= 2);
        }
    }

    @Test
    void shardingWhenReadingItThrowsIsReadAgainWhenAsked() {
        QueueCatalog queues = new QueueCatalog(List.of(queue(DeadSettings.KEEP_ALL)));
        try (Shardings shardings = new Shardings(failing().shardings(), queues, new Scheduler())) {
            assertThat(shardings.refresh("orders")).failsWithin(PATIENCE);
            assertThat(shardings.refresh("orders")).failsWithin(PATIENCE);
            assertThat(calls).hasValue(2);
        }
    }

    @Test
    void changeOfAShardingWhenAListenerThrowsIsToldToTheOthers() {
        Shardings shardings = Shardings.fixed(queue -> Sharding.unknown(1));
        shardings.listen("orders", () -> {
            throw new LinkageError();
        });
        shardings.listen("orders", calls::incrementAndGet);
        shardings.of("orders");
        shardings.adopt("orders", Sharding.initial(2));
        assertThat(calls).hasValue(1);
    }

    @Test
    void settlingWhenNoThreadCanBeMadeIsDoneOnTheOneThatHasTheAnswer() {
        AtomicInteger done = new AtomicInteger();
        TaskStore store = answering("settle", () -> CompletableFuture.completedFuture(List.of(true)));
        ShardSettler settler = settler(store, new Scheduler(NO_THREADS, NO_THREADS));
        for (int i = 0; i < 3; i++) {
            settler.settle(Settlement.ack("task-" + i, 1), Duration.ZERO, done::incrementAndGet, null, false);
        }
        assertThat(done).hasValue(3);
    }

    @Test
    void scanWhenNoThreadCanBeMadeIsRefusedEachTime() {
        try (EngineThreads threads = new EngineThreads(scheduler, NO_THREADS)) {
            for (int i = 0; i < 10; i++) {
                assertThatExceptionOfType(OutOfMemoryError.class)
                        .isThrownBy(() -> threads.scan(calls::incrementAndGet));
            }
        }
        assertThat(calls).hasValue(0);
    }

    @Test
    void loopWhenAnEarlierAlarmCannotBeSetSetsTheNextOne() {
        Scheduler timer = mock(Scheduler.class);
        when(timer.after(any(), any()))
                .thenReturn(() -> {})
                .thenThrow(new OutOfMemoryError("for a moment"))
                .thenReturn(() -> {});
        long now = System.nanoTime();
        try (EngineThreads threads = new EngineThreads(timer, NO_THREADS)) {
            ScanLoop loop = new ScanLoop("orders", threads, true, PATIENCE, calls::incrementAndGet);
            loop.comeBackAt(now + Duration.ofHours(1).toNanos());
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> loop.comeBackAt(now));

            loop.comeBackAt(now + Duration.ofHours(2).toNanos());
        }
        verify(timer, times(3)).after(any(), any());
    }

    @Test
    void loopWhenNoThreadCanBeMadeScansOnTheOneThatSignals() {
        try (EngineThreads threads = new EngineThreads(scheduler, NO_THREADS)) {
            ScanLoop loop = new ScanLoop("orders", threads, true, PATIENCE, calls::incrementAndGet);
            loop.signalElsewhere();
            loop.signalElsewhere();
        }
        assertThat(calls).hasValue(2);
    }

    @Test
    void scanWhenNoThreadCanBeMadeAndThePassMayCallTheApplicationWaitsForAThread() {
        AtomicBoolean threadsAreOut = new AtomicBoolean(true);
        ThreadFactory scanning =
                step -> threadsAreOut.get() ? NO_THREADS.newThread(step) : new Thread(step, "scanning");
        List<String> ranOn = new CopyOnWriteArrayList<>();
        try (EngineThreads threads = new EngineThreads(scheduler, scanning)) {
            threads.scanWithApplication(() -> ranOn.add(Thread.currentThread().getName()));
            assertThat(ranOn).isEmpty();

            threadsAreOut.set(false);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(ranOn).containsExactly("scanning"));
        }
    }

    @Test
    void scanWhenClosedWhileAScannerRunsIsEitherRefusedOrRun() throws Exception {
        for (int i = 0; i < 500; i++) {
            EngineThreads threads = new EngineThreads(scheduler);
            AtomicBoolean mayEnd = new AtomicBoolean();
            CountDownLatch ended = new CountDownLatch(1);
            AtomicInteger ran = new AtomicInteger();
            threads.scan(() -> {
                while (!mayEnd.get()) {
                    Thread.onSpinWait();
                }
            });
            threads.scan(() -> {});
            threads.close();
            mayEnd.set(true);
            boolean refused = false;
            try {
                threads.scan(() -> {
                    ran.incrementAndGet();
                    ended.countDown();
                });
            } catch (RejectedExecutionException ex) {
                refused = true;
            }
            if (!refused) {
                assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(ran).hasValue(refused ? 0 : 1);
        }
    }

    @Test
    void scanWhenManyBlockRunsFourAtATimeAndThenTheOthers() {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger most = new AtomicInteger();
        AtomicInteger running = new AtomicInteger();
        try (EngineThreads threads = new EngineThreads(scheduler)) {
            for (int i = 0; i < 20; i++) {
                threads.scan(() -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    awaitQuietly(gate);
                    running.decrementAndGet();
                    calls.incrementAndGet();
                });
            }
            await().atMost(PATIENCE).until(() -> running.get() == 4);
            gate.countDown();
            await().atMost(PATIENCE).until(() -> calls.get() == 20);
            assertThat(most).hasValue(4);
        }
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void momentWhenWhatItRunsThrowsIsFollowedByTheOthers() {
        TimingWheel wheel = new TimingWheel(scheduler);
        wheel.at(System.nanoTime(), () -> {
            throw new AssertionError();
        });
        wheel.at(System.nanoTime() + Duration.ofMillis(5).toNanos(), calls::incrementAndGet);
        await().atMost(PATIENCE).until(() -> calls.get() == 1);
    }

    private static ShardSettler settler(TaskStore store, Scheduler scheduler) {
        return new EngineParts(store, Shardings.fixed(queue -> Sharding.initial(1)), scheduler, EngineHooks.NONE)
                .settler(SHARD);
    }

    private TaskStore answering(String method, java.util.function.Supplier<CompletableFuture<?>> answer) {
        return InterceptedStore.of((none, called, arguments) -> {
            if (called.getName().equals("serverOf")) {
                throw new NoSuchMethodError();
            }
            assertThat(called.getName()).isEqualTo(method);
            calls.incrementAndGet();
            return answer.get();
        });
    }

    private TaskStore failing() {
        return InterceptedStore.of((none, method, arguments) -> {
            calls.incrementAndGet();
            throw new NoClassDefFoundError();
        });
    }

    private static QueueSettings queue(DeadSettings dead) {
        return QueueSettingsBuilder.of("orders").dead(dead).build();
    }
}
