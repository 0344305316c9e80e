// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Acquirer.Acquired;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcquirerTests {

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
        QueueSettings queue = QueueSettingsBuilder.of("orders")
                .shards(4)
                .maxLeaseExpiries(5)
                .limits(new LimitSettings(null, rateWhenOverdue, null, null))
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
                () -> {},
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
        acquire(acquirer(false, Rate.parse("100/s")), true);

        assertThat(lastRequest())
                .isEqualTo(Acquires.of(10, Duration.ofSeconds(30), 5, 4 * 1024 * 1024, 10, Duration.ofMillis(20), 25));
        assertThat(error).isNull();
    }
}
