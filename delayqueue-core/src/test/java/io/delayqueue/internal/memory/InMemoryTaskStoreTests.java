// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.redis.ModelRun;
import io.delayqueue.internal.redis.ShardModelProperties;
import io.delayqueue.internal.redis.StoreBehaviours;
import org.junit.jupiter.api.Test;

/** The contracts that the store in Redis keeps too, and the model of a shard. */
class InMemoryTaskStoreTests extends StoreBehaviours {

    InMemoryTaskStoreTests() {
        super(InMemoryContractStore::new);
    }

    @Test
    void shardWhenDrivenAtRandomDoesWhatTheModelDoes() {
        ModelRun.of(InMemory.class, 1_000);
    }

    static class InMemory extends ShardModelProperties {
        InMemory() {
            super(InMemoryContractStore::new);
        }
    }
}
