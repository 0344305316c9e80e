// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scans of two shards for two workers with batches of five; the test makes the passes. */
class ShardScansTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HandMadeStore store = new HandMadeStore();
    private final EngineParts engine = EngineParts.of(
            store.store(), Shardings.fixed(queue -> Sharding.initial(2)), new Scheduler(), EngineHooks.NONE);
    private final AtomicInteger signals = new AtomicInteger();
    private final ScanLoop loop =
            new ScanLoop("orders", engine.threads(), true, Duration.ofMinutes(1), signals::incrementAndGet);
    private final QueueDelivery delivery = new QueueDelivery(
            QueueSettingsBuilder.of("orders")
                    .shards(2)
                    .maxLeaseExpiries(3)
                    .trigger(new TriggerSettings(
                            true, 2, null, 5, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ZERO))
                    .build(),
            new OneByOne(),
            InterceptorChain.EMPTY);
    private final WorkQueue work = new WorkQueue(delivery, () -> false, loop);
    private final ShardScans scans = new ShardScans(delivery, engine, loop, work, new Peers("orders"));

    @BeforeEach
    void haveQuickDeliveriesBehindIt() {
        work.took(5, 5_000);
    }

    @AfterEach
    void close() {
        engine.threads().close();
        engine.scheduler().close();
    }

    private boolean begin() {
        long now = System.nanoTime();
        return scans.begin(scans.due(now, false), now);
    }

    @Test
    void beginWhenAScanMayBringASuspectAsksOnlyAfterItsAnswerOrWhenItIsOverdue() {
        CompletableFuture<Acquisition> late = new CompletableFuture<>();
        store.answers.add(late);
        assertThat(begin()).isFalse();
        assertThat(store.requested()).isEqualTo(1);
        assertThat(work.free()).as("room is reserved for the answer").isZero();
        assertThat(begin()).as("none begins beside it").isFalse();

        await().atMost(PATIENCE).until(() -> {
            scans.passOverLateOnes(System.nanoTime());
            return work.free() == 10;
        });
        begin();

        assertThat(store.acquires)
                .extracting(AcquireRequest::maxSuspects)
                .as("the late one may still bring a suspect")
                .startsWith(1, 0);
        scans.takeUpAnswers();
        assertThat(scans.areNone()).isFalse();
        int before = signals.get();
        late.complete(HandMadeStore.acquisition(new Shard("orders", 0), HandMadeStore.task("a", Instant.now(), 0)));
        assertThat(signals.get()).as("its answer is signalled").isGreaterThan(before);
        scans.takeUpAnswers();

        assertThat(scans.areNone()).isTrue();
        assertThat(scans.due(System.nanoTime(), true))
                .as("all are looked at again, because suspects were passed over")
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"8, true", "9, false"})
    void answerWhenItStartsManyWorkersIsTakenUpByAScanningThread(int tasks, boolean byTheThreadThatBringsIt) {
        List<Thread> passes = new CopyOnWriteArrayList<>();
        ScanLoop noting = new ScanLoop(
                "orders", engine.threads(), true, Duration.ofMinutes(1), () -> passes.add(Thread.currentThread()));
        QueueDelivery wide = new QueueDelivery(
                QueueSettingsBuilder.of(delivery.queue())
                        .trigger(new TriggerSettings(
                                true, 20, null, 5, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ZERO))
                        .build(),
                delivery.destination(),
                InterceptorChain.EMPTY);
        ShardScans many =
                new ShardScans(wide, engine, noting, new WorkQueue(wide, () -> false, noting), new Peers("orders"));
        CompletableFuture<Acquisition> answer = new CompletableFuture<>();
        store.answers.add(answer);
        long now = System.nanoTime();
        many.begin(many.due(now, false), now);
        passes.clear();

        answer.complete(HandMadeStore.acquisition(
                new Shard("orders", 0),
                IntStream.range(0, tasks)
                        .mapToObj(i -> HandMadeStore.task("t" + i, Instant.now(), 0))
                        .toArray(AcquiredTask[]::new)));

        await().atMost(PATIENCE).until(() -> !passes.isEmpty());
        assertThat(passes.get(0) == Thread.currentThread()).isEqualTo(byTheThreadThatBringsIt);
    }

    private static final class OneByOne implements TaskDestination {

        @Override
        public void deliver(List<OpenDelivery> deliveries) {}

        @Override
        public boolean deliversOneByOne() {
            return true;
        }
    }
}
