// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Tag;

/** The store on the oldest server supported. */
@Tag("long")
class RedisTaskStore62IntegrationTests extends SingleServerContracts {

    RedisTaskStore62IntegrationTests() {
        super(RedisBinary.EMBEDDED_6_2);
    }
}
