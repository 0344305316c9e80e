// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Tag;

/** The store on a Redis Cluster; what it does while that stays is in {@link RedisScriptsClusterIntegrationTests}. */
@Tag("long")
class RedisTaskStoreClusterIntegrationTests extends StoreContracts {

    RedisTaskStoreClusterIntegrationTests() {
        super(ClusterServers.THREE_MASTERS);
    }
}
