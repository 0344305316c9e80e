// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Tag;

/** The store on a Redis Cluster, which refuses a script whose keys are not all in one slot. */
@Tag("long")
class RedisTaskStoreClusterIntegrationTests extends StoreContracts {

    RedisTaskStoreClusterIntegrationTests() {
        super(ClusterServers.THREE_MASTERS);
    }
}
