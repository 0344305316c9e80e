// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Acquirer.Acquired;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.queue.LimitSettings;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.Rate;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcquirerTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Shard SHARD = new Shard("orders", 0);

    private final HandMadeStore store = new HandMadeStore();
    private final AtomicInteger quarantined = new AtomicInteger();
    private final DeliveryEvents events = new DeliveryEvents(List.of(new DeliveryCounter() {
        @Override
        public void quarantined(String queue, int tasks) {
            quarantined.addAndGet(tasks);
        }
    }));
    private final EngineParts engine = EngineParts.of(
            store.store(),
            Shardings.fixed(queue -> Sharding.initial(4)),
            new Scheduler(),
            new EngineHooks(events, null, null));
    private final AtomicInteger tasksDone = new AtomicInteger();
    private final AtomicInteger suspectsDone = new AtomicInteger();
    private @Nullable Acquired acquired;
    private @Nullable Throwable error;

    @AfterEach
    void close() {
        engine.threads().close();
        engine.scheduler().close();
    }

    private Acquirer acquirer(boolean oneByOne, @Nullable Rate rateWhenOverdue) {
        TriggerSettings trigger = new TriggerSettings(
                true, 2, null, 3, Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofMillis(20));
        QueueSettings queue = QueueSettings.builder("orders")
                .shards(4)
                .maxLeaseExpiries(5)
                .limits(new LimitSettings(rateWhenOverdue, null, null))
                .trigger(trigger)
                .build();
        TaskDestination destination = new TaskDestination() {
            @Override
            public void deliver(List<OpenDelivery> deliveries) {}

            @Override
            public boolean deliversOneByOne() {
                return oneByOne;
            }
        };
        return new Acquirer(new QueueDelivery(queue, destination, InterceptorChain.EMPTY), engine, trigger.lookAhead());
    }

    private void acquire(Acquirer acquirer, boolean mayTakeSuspect) {
        acquirer.acquire(
                SHARD,
                10,
                mayTakeSuspect,
                tasksDone::incrementAndGet,
                suspectsDone::incrementAndGet,
                (brought, failure) -> {
                    acquired = brought;
                    error = failure;
                });
    }

    private AcquireRequest lastRequest() {
        return store.acquires.get(store.acquires.size() - 1);
    }

    @Test
    void acquireAsksAsTheSettingsSayAndSharesTheRateWhenOverdueAmongTheShards() {
        acquire(acquirer(false, Rate.of(100, ChronoUnit.SECONDS)), true);

        assertThat(lastRequest())
                .isEqualTo(new AcquireRequest(
                        10, Duration.ofSeconds(30), 5, 4 * 1024 * 1024, 10, Duration.ofMillis(20), 25));
        assertThat(error).isNull();
    }

    @Test
    void deliveryWhenItHasAnOutcomeIsSettledAndNoLongerActive() {
        store.put(0, "a");
        store.put(0, "b");
        Acquirer acquirer = acquirer(false, null);
        acquire(acquirer, true);
        List<LeasedDelivery> deliveries = deliveries();
        assertThat(acquirer.active().all()).containsExactlyInAnyOrderElementsOf(deliveries);

        deliveries.get(0).settle(Outcome.delivered());
        deliveries.get(0).settle(Outcome.delivered());
        deliveries.get(1).settle(Outcome.released());

        assertThat(acquirer.active().all()).isEmpty();
        await().atMost(PATIENCE).until(() -> tasksDone.get() == 2);
        assertThat(store.ended).containsExactlyInAnyOrder("ACK a", "released b");
    }

    private List<LeasedDelivery> deliveries() {
        assertThat(acquired).isNotNull();
        return acquired.deliveries();
    }

    @Test
    void acquireWhenAnEnvelopeCannotBeReadMakesTheTaskDeadAndCountsIt() {
        AcquiredTask unreadable = new AcquiredTask("bad", "", Instant.now(), 0, 0, null);
        store.answers.add(CompletableFuture.completedFuture(
                HandMadeStore.acquisition(SHARD, unreadable, HandMadeStore.task("good", Instant.now(), 0))));

        acquire(acquirer(false, null), true);

        assertThat(deliveries()).extracting(Delivery::id).containsExactly("good");
        assertThat(quarantined).hasValue(1);
        await().atMost(PATIENCE).until(() -> store.ended.contains("QUARANTINE bad"));
    }

    @Test
    void acquireWhenTheStoreHasMadeSomeDeadCountsThoseThatCannotBeRead() {
        Map<String, String> dead = Map.of("a", "no content", "b", Acquisition.LEASE_EXPIRED);
        store.answers.add(CompletableFuture.completedFuture(
                new Acquisition(SHARD, 1, List.of(), null, 0, 0, dead, List.of("newer"))));

        acquire(acquirer(false, null), true);

        assertThat(deliveries()).isEmpty();
        assertThat(quarantined).hasValue(1);
    }

    @Test
    void acquireWhenSuspectsAreIsolatedAsksForOneAtATime() {
        store.put(0, HandMadeStore.task("suspect", Instant.now(), 1));
        Acquirer acquirer = acquirer(true, null);

        acquire(acquirer, false);
        assertThat(lastRequest().maxSuspects())
                .as("another acquire may bring one")
                .isZero();
        acquire(acquirer, true);
        assertThat(lastRequest().maxSuspects()).isEqualTo(1);
        LeasedDelivery suspect = deliveries().get(0);
        acquire(acquirer, true);
        assertThat(lastRequest().maxSuspects()).as("one is being delivered").isZero();
        assertThat(suspectsDone).hasValue(0);
        suspect.settle(Outcome.delivered());

        assertThat(suspectsDone).hasValue(1);
        acquire(acquirer, true);
        assertThat(lastRequest().maxSuspects()).isEqualTo(1);
    }

    @Test
    void acquireWhenTheStoreFailsSaysWhy() {
        TaskStoreUnavailableException down = new TaskStoreUnavailableException("down", true, null);
        store.answers.add(CompletableFuture.failedFuture(down));

        acquire(acquirer(false, null), true);

        assertThat(acquired).isNull();
        assertThat(error).isSameAs(down);
    }

    @Test
    void acquireWhenNobodyCanListenToTheAnswerThrowsAndLeavesNothingActive() {
        store.answers.add(new CompletableFuture<>() {
            @Override
            public CompletableFuture<Acquisition> whenComplete(
                    java.util.function.BiConsumer<? super Acquisition, ? super Throwable> action) {
                throw new OutOfMemoryError("injected");
            }
        });
        Acquirer acquirer = acquirer(false, null);

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> acquire(acquirer, true));

        assertThat(acquirer.active().all()).isEmpty();
    }
}
