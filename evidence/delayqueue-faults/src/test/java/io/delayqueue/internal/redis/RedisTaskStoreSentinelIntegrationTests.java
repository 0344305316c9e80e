// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Tag;

/** The store on a master that Sentinels watch over and name. */
@Tag("long")
class RedisTaskStoreSentinelIntegrationTests extends StoreContracts {

    RedisTaskStoreSentinelIntegrationTests() {
        super(SentinelServers.MASTER_AND_REPLICA);
    }
}
