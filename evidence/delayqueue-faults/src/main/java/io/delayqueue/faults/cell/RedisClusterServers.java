// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;

/** A Redis Cluster of three masters, with a replica each or without, and one RabbitMQ. */
public final class RedisClusterServers extends FailoverServers<RedisCluster> {

    /** After so long a silence a node counts as failed. */
    static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);

    private final int replicas;

    /** Masters that stop when one of them is missing, as by default, with a replica each. */
    public RedisClusterServers() {
        this(1, "cluster-require-full-coverage yes");
    }

    private RedisClusterServers(int replicas, String coverage) {
        super(
                () -> RedisCluster.installed()
                        .replicas(replicas)
                        .nodeTimeout(NODE_TIMEOUT)
                        .config("appendfsync always")
                        .config(coverage)
                        .start(),
                RedisCluster::close);
        this.replicas = replicas;
    }

    /** Masters that go on for their slots when one of them is missing, with so many replicas each. */
    static RedisClusterServers goingOn(int replicas) {
        return new RedisClusterServers(replicas, "cluster-require-full-coverage no");
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
        return "Redis Cluster " + one().version() + " of 3 masters"
                + (replicas > 0 ? " and " + 3 * replicas + " replicas" : "");
    }
}
