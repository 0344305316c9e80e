// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** The store on a Redis Cluster; a script whose keys were not all in one slot would be refused. */
class RedisTaskStoreClusterIntegrationTests extends StoreContracts {

    RedisTaskStoreClusterIntegrationTests() {
        super(ClusterServers.THREE_MASTERS);
    }
}
