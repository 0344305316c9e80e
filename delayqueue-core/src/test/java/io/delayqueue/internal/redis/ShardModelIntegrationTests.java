// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Test;

/** The scripts beside a model of a shard. */
class ShardModelIntegrationTests {

    @Test
    void scriptsWhenDrivenAtRandomDoWhatTheModelDoes() {
        ModelRun.of(OnRedis.class, 300);
    }

    static class OnRedis extends ShardModelProperties {
        OnRedis() {
            super(() -> TestRedis.shared(RedisBinary.EMBEDDED_6_2));
        }
    }
}
