// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.test.server.RedisCluster;
import java.time.Duration;

/** A cluster of three masters for all contracts, including those that kill a node: the node restarts with its data. */
enum ClusterServers implements StoreServers {
    THREE_MASTERS;

    /** Longer than any test, so that a node that is killed for a moment is never given up by the others. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(15);

    private TestRedis cluster;

    @Override
    public synchronized TestRedis shared() {
        if (cluster == null) {
            cluster = new ClusteredRedis(RedisCluster.installed()
                    .nodeTimeout(NODE_TIMEOUT)
                    .config("appendfsync no")
                    .start());
        }
        return cluster;
    }

    @Override
    public TestRedis breakable() {
        return shared();
    }
}
