// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

/** The store on a master that Sentinels watch over and name. */
class RedisTaskStoreSentinelIntegrationTests extends StoreContracts {

    RedisTaskStoreSentinelIntegrationTests() {
        super(SentinelServers.MASTER_AND_REPLICA);
    }
}
