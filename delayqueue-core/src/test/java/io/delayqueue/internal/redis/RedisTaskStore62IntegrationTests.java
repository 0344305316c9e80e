// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** The store on the oldest server supported. */
class RedisTaskStore62IntegrationTests extends SingleServerContracts {

    RedisTaskStore62IntegrationTests() {
        super(RedisBinary.EMBEDDED_6_2);
    }
}
