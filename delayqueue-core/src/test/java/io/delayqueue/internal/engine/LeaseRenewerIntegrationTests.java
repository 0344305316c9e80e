// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.LogLines;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Deliveries that do not end, and tasks that wait for them. */
class LeaseRenewerIntegrationTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final Duration LEASE = Duration.ofMillis(600);
    private static final Duration TIMEOUT = Duration.ofMillis(2_500);

    @AutoClose
    private final StoreFixture redis = new StoreFixture();

    private final TaskStore store = redis.store();
    private final QueueSettings queue = QueueSettingsBuilder.of("orders")
            .lease(LEASE)
            .handlerTimeout(TIMEOUT)
            .build();

    @AutoClose
    private final Scheduler scheduler = new Scheduler();

    private final LeaseRenewer renewer = new LeaseRenewer(store, scheduler);

    private final Set<LeasedDelivery> active = ConcurrentHashMap.newKeySet();
    private final NotedDeliveries outcomes = new NotedDeliveries();

    private void schedule(String id) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        NewTask task = new NewTask(id, new byte[16], Due.after(Duration.ZERO), ConflictPolicy.REPLACE, content, 0);
        StoreCalls.schedule(store, SHARD, List.of(task)).join();
    }

    private Acquisition acquire() {
        return store.leases()
                .acquire(SHARD, Acquires.of(10, LEASE, 10, 1 << 20, 500))
                .join();
    }

    private Duration gathersFor = Duration.ZERO;

    /** Begins deliveries that never end. */
    private void deliver() {
        Acquisition acquisition = acquire();
        AcquiredAt at = new AcquiredAt(acquisition.serverMicros(), System.nanoTime(), QueueClock.SERVERS);
        for (AcquiredTask task : acquisition.tasks()) {
            Lease lease = new Lease(acquisition.token(), System.nanoTime() + LEASE.toNanos());
            LeasedDelivery delivery = new LeasedDelivery(SHARD, task, lease, at, queue, outcomes);
            active.addAll(List.of(delivery));
            if (!task.id().startsWith("waits")) {
                delivery.begin();
            }
        }
        renewer.watch(active, queue, gathersFor);
    }

    @Test
    void renewalWhenADeliveryWaitsForItsTurnReleasesIt() {
        schedule("hangs");
        schedule("waits-1");
        schedule("waits-2");

        deliver();

        await().atMost(Duration.ofSeconds(10)).until(() -> outcomes.notes().size() == 2);
        assertThat(outcomes.notes()).containsExactlyInAnyOrder("RELEASE waits-1", "RELEASE waits-2");
        assertThat(active).filteredOn(delivery -> !delivery.isEnded()).hasSize(1);
    }

    @Test
    void renewalWhenADeliveryWaitsForOthersOfItsBatchReleasesItLater() {
        gathersFor = Duration.ofSeconds(2);
        schedule("waits");
        long begin = System.nanoTime();

        deliver();

        await().atMost(Duration.ofSeconds(10)).until(() -> outcomes.notes().size() == 1);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(gathersFor);
        assertThat(outcomes.notes()).containsExactly("RELEASE waits");
    }

    @Test
    void renewalWhenATaskWaitsForADeliveryThatDoesNotEndStopsInTime() {
        try (LogLines log = new LogLines()) {
            schedule("hangs");
            schedule("alone");
            deliver();
            assertThat(active).hasSize(2);
            assertThat(StoreCalls.reschedule(store, SHARD, ShardingVersion.NONE, "hangs", Due.after(Duration.ZERO))
                            .join())
                    .isEqualTo(RescheduleOutcome.IN_FLIGHT);
            long begin = System.nanoTime();

            await().atMost(Duration.ofSeconds(15))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> acquire().tasks().stream()
                            .map(AcquiredTask::id)
                            .toList()
                            .equals(List.of("hangs")));

            Duration waited = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(waited).as("renewed while it may wait").isGreaterThan(LEASE.multipliedBy(2));
            assertThat(waited).as("and not for longer").isLessThan(TIMEOUT.plusMillis(500));
            assertThat(log.all())
                    .filteredOn(line -> line.contains("Its lease is no longer renewed"))
                    .singleElement()
                    .asString()
                    .contains("'hangs'");
            assertThat(log.all()).noneMatch(line -> line.contains("'alone'"));
        }
    }
}
