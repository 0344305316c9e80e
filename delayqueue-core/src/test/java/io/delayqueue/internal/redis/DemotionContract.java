// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.store.ShardingStore;
import io.delayqueue.internal.store.TestStores;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that becomes a replica under its clients, or loses its own; a node of a cluster cannot. */
abstract class DemotionContract extends RedisStoreContract {

    DemotionContract(StoreServers servers) {
        super(servers);
    }

    @AfterEach
    void promote() {
        redis.node().replicaofNoOne();
        redis.node().configSet("min-replicas-to-write", "0");
    }

    @Test
    void callWhenTheMasterLacksReplicasFailsAndRecovers() {
        redis.node().configSet("min-replicas-to-write", "1");

        assertRefuses(() -> changesNothing(() -> schedule("a", 1, now)));
        redis.node().configSet("min-replicas-to-write", "0");
        assertThat(schedule("a", 1, now).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void callOfAnotherStoreWhenTheirConnectionWasDroppedTakesTheNewOne() {
        ShardingStore shardings = TestStores.of(redis.connections(), new RedisKeys("dq"), TestRedis.TIMEOUT)
                .shardings();
        assertThat(get(shardings.sharding("orders")).text()).isEmpty();
        Object connection = nativeConnection();
        redis.node().configSet("min-replicas-to-write", "1");
        assertRefuses(() -> schedule("a", 1, now));
        redis.node().configSet("min-replicas-to-write", "0");
        assertThat(nativeConnection()).as("the library's connection").isNotSameAs(connection);

        // A call that comes while the connection is dropped once more fails at once, and says that nothing was sent.
        await().ignoreExceptionsMatching(ex ->
                        ex instanceof TaskStoreUnavailableException unavailable && !unavailable.mayHaveBeenApplied())
                .untilAsserted(() -> assertThat(get(shardings.putSharding("orders", 0, 0, "4:4:"))
                                .recorded())
                        .isTrue());
    }

    /**
     * If the last attempt of a call is in progress when its time is over, the call cannot know that it was refused, so
     * there may be another exception.
     */
    private static void assertRefuses(ThrowingCallable call) {
        await().pollDelay(Duration.ZERO)
                .atMost(TestRedis.TIMEOUT.multipliedBy(5))
                .untilAsserted(() -> assertThatExceptionOfType(TaskStoreUnavailableException.class)
                        .isThrownBy(call)
                        .matches(ex -> !ex.mayHaveBeenApplied()));
    }

    private Object nativeConnection() {
        return redis.connections().commands().join();
    }

    @Test
    void callWhenTheServerIsAReplicaForAMomentFailsAndRecovers() {
        redis.node().replicaof("127.0.0.1", 1);

        assertRefuses(() -> schedule("a", 1, now));
        redis.node().replicaofNoOne();
        assertThat(schedule("a", 1, now).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }
}
