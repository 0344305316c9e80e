// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskStoreUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that becomes a replica under its clients, or loses its own; a node of a cluster cannot. */
abstract class DemotionContract extends StoreContract {

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

        assertThatExceptionOfType(TaskStoreUnavailableException.class)
                .isThrownBy(() -> changesNothing(() -> schedule("a", 1, now)))
                .matches(ex -> !ex.mayHaveBeenApplied());
        redis.node().configSet("min-replicas-to-write", "0");
        assertThat(schedule("a", 1, now).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void callWhenTheServerIsAReplicaForAMomentFailsAndRecovers() {
        redis.node().replicaof("127.0.0.1", 1);

        assertThatExceptionOfType(TaskStoreUnavailableException.class)
                .isThrownBy(() -> schedule("a", 1, now))
                .matches(ex -> !ex.mayHaveBeenApplied());
        redis.node().replicaofNoOne();
        assertThat(schedule("a", 1, now).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }
}
