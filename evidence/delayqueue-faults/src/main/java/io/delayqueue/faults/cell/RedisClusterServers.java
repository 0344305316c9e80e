// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;

/** A Redis Cluster of three masters, with or without replicas, and one RabbitMQ. */
public final class RedisClusterServers extends FailoverServers<RedisCluster> {

    /** A node that is silent for this long counts as failed. */
    static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);

    private final int replicas;

    /** Creates masters with one replica each. If one master is missing, the cluster stops, which is the default. */
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

    /**
     * Returns masters with this number of replicas each. If one master is missing, the others continue to serve their
     * slots.
     */
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
