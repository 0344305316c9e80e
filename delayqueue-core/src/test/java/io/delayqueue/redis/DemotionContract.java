// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskStoreUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that becomes a replica under its clients; a node of a cluster cannot. */
abstract class DemotionContract extends StoreContract {

    DemotionContract(StoreServers servers) {
        super(servers);
    }

    @AfterEach
    void promote() {
        redis.node().replicaofNoOne();
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
