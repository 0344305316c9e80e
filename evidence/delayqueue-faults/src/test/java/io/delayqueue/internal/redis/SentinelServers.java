// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.test.server.RedisSentinels;
import java.time.Duration;

/** A master that clients find through Sentinels. These replace it only after longer than any contract takes it away. */
enum SentinelServers implements StoreServers {
    MASTER_AND_REPLICA;

    private static final Duration DOWN_AFTER = Duration.ofMinutes(5);

    private TestRedis servers;

    @Override
    public synchronized TestRedis shared() {
        if (servers == null) {
            servers = new SentinelRedis(RedisSentinels.installed()
                    .replicas(1)
                    .downAfter(DOWN_AFTER)
                    .config("appendfsync always")
                    .start());
        }
        return servers;
    }

    @Override
    public TestRedis breakable() {
        return shared();
    }
}
