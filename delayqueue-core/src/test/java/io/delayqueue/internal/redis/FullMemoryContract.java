// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.engine.DeadForwarding;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardingStore;
import io.delayqueue.internal.store.StoreCalls;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that has reached its maxmemory: nothing new comes in, and all that is there gets out. */
abstract class FullMemoryContract extends RedisStoreContract {

    FullMemoryContract(StoreServers servers) {
        super(servers);
    }

    private void fill() {
        redis.node().configSet("maxmemory-policy", "noeviction");
        redis.node().configSet("maxmemory", "1");
    }

    @AfterEach
    void makeRoom() {
        redis.node().configSet("maxmemory", "0");
    }

    @Test
    void scheduleWhenFullIsRefusedAndStoresNothing() {
        schedule("a", 1, now - MINUTE);
        fill();

        for (String id : List.of("a", "b")) {
            assertThatExceptionOfType(TaskStoreFullException.class)
                    .isThrownBy(() -> changesNothing(() -> schedule(id, 2, now)))
                    .matches(ex -> !ex.mayHaveBeenApplied());
        }

        makeRoom();
        schedule("b", 2, now);
        assertThat(state().tasks()).hasSize(2);
    }

    @Test
    void everyOtherCallWhenFullWorks() {
        schedule("a", 1, now - MINUTE);
        schedule("b", 2, now - MINUTE);
        schedule("c", 3, now - MINUTE);
        schedule("d", 4, now - MINUTE);
        schedule("e", 5, now + MINUTE);
        schedule("f", 6, now - MINUTE);
        fill();

        long first = acquire(10).token();
        assertThat(get(store.leases()
                        .settle(SHARD, List.of(Settlement.release("a", first), Settlement.release("b", first)))))
                .containsExactly(true, true);
        assertThat(get(store.leases()
                        .settle(
                                SHARD,
                                List.of(
                                        Settlement.retry("c", first, Duration.ZERO, true, true, "r"),
                                        Settlement.dead("d", first, true, "r"),
                                        Settlement.again("f", first, Due.after(Duration.ofHours(1)))))))
                .containsExactly(true, true, true);
        moveClock(1);
        Acquisition second = acquire(10);
        assertThat(second.tasks()).hasSize(3);
        assertThat(reschedule("a", at(now - 5 * MINUTE))).isEqualTo(RescheduleOutcome.IN_FLIGHT);
        assertThat(settle(Settlement.ack("b", second.token()))).isTrue();
        assertThat(reschedule("e", Due.after(Duration.ZERO))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(cancel("e")).isEqualTo(CancelOutcome.CANCELLED);
        moveClock(LEASE.toMillis() + MINUTE);
        assertThat(acquire(10).tasks()).hasSize(2);
        assertThat(get(store.tasks().find(SHARD, "d"))).isPresent();
        assertThat(get(store.shards().stats(SHARD)).dead()).isEqualTo(1);
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void lookingAfterAQueueWhenFullWorks() {
        for (String id : List.of("a", "b", "c", "d")) {
            schedule(id, 1, now - MINUTE);
        }
        long token = acquire(10).token();
        for (String id : List.of("a", "b", "c")) {
            settle(Settlement.dead(id, token, true, "r"));
        }
        fill();

        assertThat(get(store.shards().pause(SHARD))).isTrue();
        assertThat(get(store.shards().resume(SHARD))).isTrue();
        assertThat(get(store.shards().page(SHARD, PageRequest.dead(9).withContent(99)))
                        .tasks())
                .hasSize(3);
        assertThat(get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("a"))))
                        .verdicts())
                .containsExactly(true);
        assertThat(get(store.shards().reserveDueTimes(SHARD.queue(), 1000)).start())
                .isPositive();
        assertThat(get(store.leases().renew(SHARD, List.of(new LeaseRef("d", token)), LEASE.multipliedBy(2))))
                .containsExactly(Renewal.HELD);
        assertThat(get(StoreCalls.discard(store, SHARD, List.of("b")))).containsExactly(true);
        assertThat(get(store.dead().trim(SHARD, Duration.ZERO, 500)).ids()).containsExactly("c");
        assertThat(get(store.shards().purge(SHARD, 10)).left()).isZero();
        assertThat(state().tasks()).isEmpty();
    }

    @Test
    void claimsWhenFullAreGivenRenewedAndGivenUp() {
        ShardingStore shardings = store.shardings();
        fill();

        for (int call = 0; call < 2; call++) {
            assertThat(get(shardings.claimForwarder("orders", "a", Duration.ofMinutes(1))))
                    .isTrue();
            assertThat(get(shardings.claimMigrator("orders", "a", Duration.ofMinutes(1))))
                    .isTrue();
        }
        assertThat(get(shardings.claimForwarder("orders", "b", Duration.ofMinutes(1))))
                .isFalse();
        assertThat(get(shardings.claimMigrator("orders", "b", Duration.ofMinutes(1))))
                .isFalse();
        assertThat(redis.raw().get("dq:{orders}:forwarder")).isEqualTo("a");
        assertThat(redis.raw().get("dq:{orders}:migrator")).isEqualTo("a");
        assertThat(redis.raw().pttl("dq:{orders}:forwarder")).isBetween(1L, MINUTE);
        assertThat(redis.raw().pttl("dq:{orders}:migrator")).isBetween(1L, MINUTE);

        assertThat(get(shardings.claimForwarder("orders", "a", Duration.ZERO))).isTrue();
        assertThat(get(shardings.claimMigrator("orders", "a", Duration.ZERO))).isTrue();
        assertThat(redis.raw().exists("dq:{orders}:forwarder", "dq:{orders}:migrator"))
                .isZero();
    }

    @Test
    void forwardingDeadTasksWhenFullGoesOn() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.dead("a", lease("a"), true, "r"));
        CollectingDestination destination = CollectingDestination.acknowledging();
        DeadForwarding forwarding = new Engine(
                        store, Shardings.fixed(queue -> Sharding.initial(1)), new Scheduler(), EngineHooks.NONE)
                .deadForwarding(QueueSettingsBuilder.withDefaults("orders"), destination, Duration.ofMinutes(1));
        fill();

        assertThat(forwarding.run()).isEqualTo(1);

        assertThat(destination.ids()).containsExactly("a");
        assertThat(state().tasks()).isEmpty();
    }

    @Test
    void acknowledgingGroupedTasksWhenFullTakesThemOutOfPagesThatStay() {
        schedule("{g}~a", 1, now - MINUTE);
        schedule("{g}~b", 2, now - MINUTE);
        schedule("{g}~c", 3, now + MINUTE);
        long token = acquire(10).token();
        fill();

        assertThat(get(store.leases()
                        .settle(SHARD, List.of(Settlement.ack("{g}~a", token), Settlement.ack("{g}~b", token)))))
                .containsExactly(true, true);

        assertThat(state().tasks()).containsOnlyKeys("{g}~c");
        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(cancel("{g}~c")).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void eachCallWhenFullWorksAsTheFirstThatWrites() {
        schedule("a", 1, now - MINUTE);
        fill();
        long token = lease("a");
        assertThat(settle(Settlement.retry("a", token, Duration.ofSeconds(1), true, false, "r")))
                .isTrue();
        assertThat(reschedule("a", at(now - MINUTE))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(release("a", lease("a"))).isTrue();
        for (int i = 0; i <= MAX_EXPIRED; i++) {
            lease("a");
            moveClock(MINUTE);
        }
        assertThat(acquire(1).dead()).containsOnlyKeys("a");
        assertThat(state().brokenInvariant()).isEmpty();
    }
}
