// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** The store on this machine's server; without one these tests fail. */
class RedisTaskStoreInstalledIntegrationTests extends SingleServerContracts {

    RedisTaskStoreInstalledIntegrationTests() {
        super(RedisBinary.INSTALLED);
    }
}
