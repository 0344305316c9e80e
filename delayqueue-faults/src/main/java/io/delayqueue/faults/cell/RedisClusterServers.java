// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A Redis Cluster of three masters with a replica each, and one RabbitMQ. */
public final class RedisClusterServers implements Servers {

    /** After so long a silence a node counts as failed. */
    static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);

    private final ServersBesideRedis beside = new ServersBesideRedis();
    private final RedisCluster redis;

    public RedisClusterServers() {
        try {
            this.redis = RedisCluster.installed()
                    .replicas(1)
                    .nodeTimeout(NODE_TIMEOUT)
                    .config("appendfsync always")
                    .start();
        } catch (RuntimeException ex) {
            beside.close();
            throw ex;
        }
    }

    public RedisCluster redis() {
        return redis;
    }

    @Override
    public List<String> forApplications() {
        List<String> properties = new ArrayList<>(
                ServersBesideRedis.redisUser("spring.data.redis", redis.nodes().get(0)));
        properties.add(nodes());
        properties.add(beside.publisherProperty());
        return properties;
    }

    @Override
    public List<String> forObserver() {
        return List.of(nodes(), beside.rabbitProperty());
    }

    private String nodes() {
        String nodes = redis.uris().stream()
                .map(uri -> uri.getHost() + ":" + uri.getPort())
                .collect(Collectors.joining(","));
        return "spring.data.redis.cluster.nodes=" + nodes;
    }

    @Override
    public URI clock() {
        return beside.clock();
    }

    @Override
    public String versions() {
        RedisServer one = redis.nodes().get(0);
        return "Redis Cluster " + one.version() + " of 3 masters and 3 replicas, " + beside.rabbitVersion();
    }

    @Override
    public void close() {
        redis.close();
        beside.close();
    }
}
