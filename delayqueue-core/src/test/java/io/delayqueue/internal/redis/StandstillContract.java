// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.TestStores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A clock that stands still for the scripts until a test moves it. */
abstract class StandstillContract extends RedisStoreContract {

    /** Far from what the server's clock says. */
    private static final Instant BEGIN = Instant.parse("2042-05-17T09:30:00.125Z");

    private volatile Instant still = BEGIN;

    StandstillContract(StoreServers servers) {
        super(servers);
    }

    @BeforeEach
    void standStill() {
        QueueClock clock = () -> still;
        store = TestStores.of(
                redis.connections(), new RedisKeys("dq"), TestRedis.TIMEOUT, ContractStore::historyLength, clock);
    }

    @Test
    void taskWhenTimeStandsStillIsDueToTheMillisecond() {
        schedule(task("a", 1, Due.after(Duration.ofMinutes(15)), ConflictPolicy.REPLACE, "a"));
        still = BEGIN.plus(Duration.ofMinutes(15)).minusMillis(1);
        assertThat(acquire(1).tasks()).isEmpty();
        still = BEGIN.plus(Duration.ofMinutes(15));
        Acquisition acquisition = acquire(1);
        assertThat(acquisition.tasks())
                .extracting(AcquiredTask::dueAt)
                .containsExactly(BEGIN.plus(Duration.ofMinutes(15)));
        assertThat(acquisition.serverMicros()).isEqualTo(still.toEpochMilli() * 1000);
    }

    @Test
    void acquireWhenTimeStandsStillTakesNothingEarlyAndAsksNobodyToComeBack() {
        schedule("a", 1, BEGIN.toEpochMilli() + 100);
        Acquisition early = get(store.leases().acquire(SHARD, Acquires.of(1, LEASE, MAX_EXPIRED, 1 << 20, 1, 1)));
        assertThat(early.tasks()).isEmpty();
        assertThat(early.untilNext()).isNull();
    }

    @Test
    void acquireWhenThereIsMoreAsksToComeBackAtOnce() {
        schedule("a", 1, BEGIN.toEpochMilli());
        schedule("b", 2, BEGIN.toEpochMilli());
        assertThat(acquire(1).untilNext()).isZero();
    }

    @Test
    void acquireWhenTimeStandsStillIsNotPaced() {
        for (int i = 0; i < 50; i++) {
            schedule("a" + i, i, BEGIN.toEpochMilli() - MINUTE);
        }
        Acquisition all = get(store.leases().acquire(SHARD, Acquires.of(100, LEASE, MAX_EXPIRED, 1 << 20, 1, 1)));
        assertThat(all.tasks()).hasSize(50);
    }

    /** An answer is awaited by real time, and what the server's clock says has nothing to do with the test's. */
    @Test
    void acquireWhenRealTimeGoesOnIsCarriedOut() {
        schedule("a", 1, BEGIN.toEpochMilli());
        assertThat(acquire(1).tasks()).hasSize(1);
        release("a", Long.parseLong(lastToken));
        await().pollDelay(TestRedis.TIMEOUT.plusMillis(100))
                .until(() -> acquire(1).tasks().size() == 1);
        release("a", Long.parseLong(lastToken));
        still = BEGIN.minus(Duration.ofDays(5_000));
        assertThat(acquire(1).tasks()).isEmpty();
        still = BEGIN;
        assertThat(acquire(1).tasks()).hasSize(1);
    }

    @Test
    void leaseWhenTimeStandsStillIsRenewedToTheSameMoment() {
        schedule("a", 1, BEGIN.toEpochMilli());
        long token = lease("a");
        List<Renewal> renewed = get(store.leases().renew(SHARD, List.of(new LeaseRef("a", token)), LEASE));
        assertThat(renewed).containsExactly(Renewal.HELD);
        still = BEGIN.plus(LEASE).minusMillis(1);
        assertThat(acquire(1).tasks()).isEmpty();
        still = BEGIN.plus(LEASE);
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::leaseExpiries).containsExactly(1);
    }

    @Test
    void retryWhenTimeStandsStillIsDueExactlyAfterItsDelay() {
        schedule("a", 1, BEGIN.toEpochMilli());
        settle(Settlement.retry("a", lease("a"), Duration.ofSeconds(10), true, false, "r"));
        still = BEGIN.plusMillis(9_999);
        assertThat(acquire(1).tasks()).isEmpty();
        still = BEGIN.plusSeconds(10);
        assertThat(acquire(1).tasks()).hasSize(1);
    }

    @Test
    void everyCallThatReadsAClockReadsThisOne() {
        assertThat(get(store.shards().stats(SHARD)).now()).isEqualTo(BEGIN);
        schedule("a", 1, BEGIN.toEpochMilli());
        settle(Settlement.dead("a", lease("a"), false, "r"));
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().nextAttentionAt())
                .isEqualTo(BEGIN);
        get(store.shards().pause(SHARD));
        get(store.shards().resume(SHARD));
        get(store.shards().stats(SHARD, List.of(Duration.ofMinutes(1))));
        get(store.shards().purge(SHARD, 10));
    }

    @Test
    void forgetWhenAQueueHasDataLeavesNothing() {
        schedule("a", 1, BEGIN.toEpochMilli());
        lease("a");
        schedule("b", 1, BEGIN.toEpochMilli());
        settle(Settlement.dead("b", lease("b"), false, "r"));
        get(store.shards().pause(SHARD));
        get(store.shards().takeTokens(SHARD.queue(), 5_000_000, 20, 5, 0, 0));
        get(store.audit().put("{}"));
        NotedQueue process = new NotedQueue("1@a", true, "-", "", true);
        get(store.queueNotes().note("1@a", QueueNoteStore.Kind.INSTANCES, List.of(process), LEASE));
        get(store.queueNotes().note("1@a", QueueNoteStore.Kind.QUEUES, List.of(process), LEASE));
        assertThat(redis.isEmpty()).isFalse();
        new StoredQueue(SHARD.queue(), new RedisKeys("dq")).delete(redis.connections(), 1);
        assertThat(redis.isEmpty()).isTrue();
    }
}
