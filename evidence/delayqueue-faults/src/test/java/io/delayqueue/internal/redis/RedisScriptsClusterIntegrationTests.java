// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** The scripts on a Redis Cluster; one whose keys were not all in one slot would be refused. */
class RedisScriptsClusterIntegrationTests extends ScriptContracts {

    RedisScriptsClusterIntegrationTests() {
        super(ClusterServers.THREE_MASTERS);
    }
}
