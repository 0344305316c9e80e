// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.RateTokens;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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
    private final EngineParts engine = new EngineParts(
            store.store(), Shardings.fixed(queue -> Sharding.initial(2)), new Scheduler(), EngineHooks.NONE);
    private final AtomicInteger signals = new AtomicInteger();
    private final ScanLoop loop =
            new ScanLoop("orders", engine.threads(), true, Duration.ofMinutes(1), signals::incrementAndGet);
    private final QueueDelivery delivery = new QueueDelivery(
            QueueSettingsBuilder.of("orders")
                    .shards(2)
                    .maxLeaseExpiries(3)
                    .trigger(new TriggerSettings(true, 2, null, 5, Duration.ofMinutes(1), Duration.ofSeconds(5)))
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
                        .trigger(new TriggerSettings(true, 20, null, 5, Duration.ofMinutes(1), Duration.ofSeconds(5)))
                        .build(),
                delivery.destination(),
                InterceptorChain.EMPTY);
        ShardScans many =
                new ShardScans(wide, engine, noting, new WorkQueue(wide, () -> false, noting), new Peers("orders"));
        Acquisition brought = HandMadeStore.acquisition(
                new Shard("orders", 0),
                IntStream.range(0, tasks)
                        .mapToObj(i -> HandMadeStore.task("t" + i, Instant.now(), 0))
                        .toArray(AcquiredTask[]::new));
        CompletableFuture<Acquisition> answer = new CompletableFuture<>();
        store.answers.add(answer);
        long now = System.nanoTime();
        many.begin(many.due(now, false), now);
        passes.clear();

        answer.complete(brought); // Before the scan is overdue, which would make the timer pass.

        await().atMost(PATIENCE).until(() -> !passes.isEmpty());
        assertThat(passes.get(0) == Thread.currentThread()).isEqualTo(byTheThreadThatBringsIt);
    }

    private ShardScans withRateOnAnotherServer() {
        store.rateServer = "another";
        QueueDelivery rated = new QueueDelivery(
                QueueSettingsBuilder.of(delivery.queue())
                        .limits(new LimitSettings(Rate.parse("20/s"), null, null, null))
                        .build(),
                delivery.destination(),
                InterceptorChain.EMPTY);
        return new ShardScans(rated, engine, loop, work, new Peers("orders"));
    }

    @Test
    void beginWhenTheServerWithTheRateHangsDoesNotBlameTheServerOfTheShard() {
        ShardScans rated = withRateOnAnotherServer();
        CompletableFuture<RateTokens> hangs = new CompletableFuture<>();
        store.tokens.add(hangs);
        engine.servers().ofRate("orders");
        long now = System.nanoTime();
        rated.begin(rated.due(now, false), now);

        ServerWatch server = engine.servers().of(new Shard("orders", 0));
        long later = System.nanoTime() + ServerWatch.PATIENCE;
        assertThat(server.isSilent(later)).isFalse();
        assertThat(engine.servers().ofRate("orders").isSilent(later)).isTrue();

        hangs.completeExceptionally(new TaskStoreTimeoutException("no answer in time", true, null));
        rated.takeUpAnswers();
        assertThat(server.isSilent(later)).isFalse();
        assertThat(engine.servers().ofRate("orders").isSilent(later)).isTrue();
        assertThat(store.requested()).isZero();
    }

    @Test
    void beginWhenTheServerWithTheRateAnswersThatThereIsNoTokenDoesNotPraiseTheServerOfTheShard() {
        ShardScans rated = withRateOnAnotherServer();
        ServerWatch server = engine.servers().of(new Shard("orders", 0));
        long now = System.nanoTime();
        server.begin(now).failed(now);
        for (int shard = 0; shard < 2; shard++) {
            store.tokens.add(CompletableFuture.completedFuture(new RateTokens(0, Duration.ofMillis(100), 1)));
        }

        long later = now + TimeUnit.SECONDS.toNanos(1);
        rated.begin(rated.due(later, false), later);
        rated.takeUpAnswers();

        assertThat(store.tokens).isEmpty();
        assertThat(server.isSilent(later)).isTrue();
    }

    @Test
    void beginWhenTheServerOfTheShardHangsAfterItsTokensBlamesThatServer() {
        ShardScans rated = withRateOnAnotherServer();
        store.tokens.add(CompletableFuture.completedFuture(new RateTokens(1, Duration.ZERO, 1)));
        store.answers.add(new CompletableFuture<>());
        long now = System.nanoTime();
        rated.begin(rated.due(now, false), now);

        long later = System.nanoTime() + ServerWatch.PATIENCE;
        assertThat(engine.servers().of(new Shard("orders", 0)).isSilent(later)).isTrue();
        assertThat(engine.servers().ofRate("orders").isSilent(later)).isFalse();
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
