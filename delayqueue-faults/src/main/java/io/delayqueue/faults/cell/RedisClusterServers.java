// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;

/** A Redis Cluster of three masters with a replica each, and one RabbitMQ. */
public final class RedisClusterServers extends FailoverServers<RedisCluster> {

    /** After so long a silence a node counts as failed. */
    static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);

    public RedisClusterServers() {
        super(
                () -> RedisCluster.installed()
                        .replicas(1)
                        .nodeTimeout(NODE_TIMEOUT)
                        .config("appendfsync always")
                        .start(),
                RedisCluster::close);
    }

    @Override
    RedisServer one() {
        return redis().nodes().get(0);
    }

    @Override
    List<String> addresses() {
        return List.of("spring.data.redis.cluster.nodes=" + hostsAndPorts(redis().uris()));
    }

    @Override
    List<String> userPrefixes() {
        return List.of("spring.data.redis");
    }

    @Override
    String redisVersions() {
        return "Redis Cluster " + one().version() + " of 3 masters and 3 replicas";
    }
}
