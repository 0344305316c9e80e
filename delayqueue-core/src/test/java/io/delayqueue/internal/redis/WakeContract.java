// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.AclSetuserArgs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wake messages: one when a task becomes the earliest, none otherwise, and never a reason to fail. */
abstract class WakeContract extends RedisStoreContract {

    private ContractStore.Ear ear;

    WakeContract(StoreServers servers) {
        super(servers);
    }

    @BeforeEach
    void listen() {
        ear = kept.listen("orders");
    }

    @AfterEach
    void stopListening() {
        ear.close();
    }

    int wakesOf(Runnable calls) {
        ear.heard();
        calls.run();
        List<String> wakes = ear.heard();
        assertThat(wakes).allMatch("0"::equals);
        return wakes.size();
    }

    @Test
    void scheduleWhenTheTaskBecomesTheEarliestWakes() {
        assertThat(wakesOf(() -> schedule("a", 1, now + 5 * MINUTE))).isEqualTo(1);
        assertThat(wakesOf(() -> schedule("b", 2, now + 6 * MINUTE))).isZero();
        assertThat(wakesOf(() -> schedule("c", 3, now + 5 * MINUTE))).isZero();
        assertThat(wakesOf(() -> schedule("d", 4, now + 4 * MINUTE))).isEqualTo(1);
        assertThat(wakesOf(() -> schedule("d", 4, now + 4 * MINUTE))).isZero();
        assertThat(wakesOf(() -> schedule("d", 5, now + 3 * MINUTE))).isEqualTo(1);
        assertThat(wakesOf(() -> schedule("d", 6, now + 3 * MINUTE + 1))).isZero();
    }

    @Test
    void scheduleWhenAnyOfABatchBecomesTheEarliestWakesOnce() {
        schedule("m", 1, now + 5 * MINUTE);

        assertThat(wakesOf(() -> scheduleAll(
                        task("z", 2, at(now + 6 * MINUTE), ConflictPolicy.REPLACE, "p"),
                        task("n", 3, at(now + 4 * MINUTE), ConflictPolicy.REPLACE, "p"),
                        task("b", 4, at(now + 4 * MINUTE), ConflictPolicy.REPLACE, "p"),
                        task("c", 5, at(now + 7 * MINUTE), ConflictPolicy.REPLACE, "p"))))
                .isEqualTo(1);
        assertThat(wakesOf(() -> scheduleAll(
                        task("x", 6, at(now + 6 * MINUTE), ConflictPolicy.REPLACE, "p"),
                        task("b", 7, at(now + 9 * MINUTE), ConflictPolicy.KEEP, "p"))))
                .isZero();
    }

    private void scheduleAll(NewTask... tasks) {
        get(store.tasks()
                .schedule(SHARD, ShardingVersion.NONE, ScheduleMode.EACH, 0, new SendPermit(), List.of(tasks)));
    }

    @Test
    void rescheduleWhenTheTaskBecomesTheEarliestWakes() {
        schedule("a", 1, now + 5 * MINUTE);
        schedule("b", 2, now + 6 * MINUTE);

        assertThat(wakesOf(() -> reschedule("a", at(now + 9 * MINUTE)))).isZero();
        assertThat(wakesOf(() -> reschedule("a", at(now + 6 * MINUTE)))).isZero();
        assertThat(wakesOf(() -> reschedule("a", at(now + MINUTE)))).isEqualTo(1);
    }

    @Test
    void settleWhenTheRetryBecomesTheEarliestWakes() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        assertThat(wakesOf(() -> settle(Settlement.retry("a", token, Duration.ofSeconds(5), true, false, "r"))))
                .isEqualTo(1);
        schedule("b", 2, now - MINUTE);
        long second = lease("b");
        assertThat(wakesOf(() -> settle(Settlement.retry("b", second, Duration.ofHours(1), true, false, "r"))))
                .isZero();
    }

    @Test
    void releaseWhenTheTaskBecomesTheEarliestWakes() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);
        long token = acquire(2).token();

        assertThat(wakesOf(() -> release("a", token))).isEqualTo(1);
        assertThat(wakesOf(() -> release("b", token))).isZero();
        assertThat(wakesOf(() -> release("b", token))).isZero();
    }

    @Test
    void redriveWhenTheTaskBecomesTheEarliestWakes() {
        for (String id : List.of("a", "b", "c")) {
            schedule(id, 1, now - 2 * MINUTE);
            settle(Settlement.dead(id, lease(id), false, "r"));
        }

        assertThat(wakesOf(() -> redrive("a"))).isEqualTo(1);
        assertThat(wakesOf(() -> redrive("a"))).isZero();
        schedule("head", 1, now - 5 * MINUTE);
        assertThat(wakesOf(() -> redrive("b"))).isZero();
    }

    private void redrive(String id) {
        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of(id))));
    }

    @Test
    void resumeWhenPausedWakes() {
        assertThat(wakesOf(() -> get(store.shards().resume(SHARD)))).isZero();
        assertThat(wakesOf(() -> get(store.shards().pause(SHARD)))).isZero();
        assertThat(wakesOf(() -> get(store.shards().resume(SHARD)))).isEqualTo(1);
    }

    @Test
    void callsWhenNothingIsMadeEarlierDoNotWake() {
        schedule("a", 1, now - MINUTE);

        assertThat(wakesOf(() -> {
                    settle(Settlement.ack("a", lease("a")));
                    cancel("a");
                    acquire(1);
                    get(store.shards().stats(SHARD));
                }))
                .isZero();
    }

    @Test
    void everyCallWhenTheUserMayOnlyUseItsKeysAndNotPublishWorks() {
        redis.everyNode(node -> node.aclSetuser(
                "limited",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .keyPattern("dq:*")
                        .resetChannels()
                        .allCommands()));
        var connections = redis.connections("limited", "secret", TestRedis.TIMEOUT);
        store = TestStores.of(connections, new RedisKeys("dq"), TestRedis.TIMEOUT, clockOffset::get);

        assertThat(wakesOf(() -> {
                    schedule("a", 1, now - MINUTE);
                    release("a", lease("a"));
                    settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, false, "r"));
                    reschedule("a", at(now - 5 * MINUTE));
                    assertThat(get(store.tasks().find(SHARD, "a"))).isPresent();
                    settle(Settlement.ack("a", lease("a")));
                }))
                .isZero();
        assertThat(state().tasks()).isEmpty();
    }
}
