// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RedisSentinels;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A master with two replicas and three Sentinels, and one RabbitMQ. */
public final class SentinelServers implements Servers {

    /** After so long a silence a master counts as down. */
    static final Duration DOWN_AFTER = Duration.ofSeconds(1);

    private final ServersBesideRedis beside = new ServersBesideRedis();
    private final RedisSentinels redis;

    public SentinelServers() {
        try {
            this.redis = RedisSentinels.installed()
                    .replicas(2)
                    .downAfter(DOWN_AFTER)
                    .config("appendfsync always")
                    .config("min-replicas-to-write 1")
                    .start();
        } catch (RuntimeException ex) {
            beside.close();
            throw ex;
        }
    }

    public RedisSentinels redis() {
        return redis;
    }

    @Override
    public List<String> forApplications() {
        RedisServer one = redis.servers().get(0);
        List<String> properties = new ArrayList<>(ServersBesideRedis.redisUser("spring.data.redis", one));
        properties.addAll(ServersBesideRedis.redisUser("spring.data.redis.sentinel", one));
        properties.addAll(sentinels());
        properties.add(beside.publisherProperty());
        return properties;
    }

    @Override
    public List<String> forObserver() {
        List<String> properties = new ArrayList<>(sentinels());
        properties.add(beside.rabbitProperty());
        return properties;
    }

    private List<String> sentinels() {
        String sentinels = redis.sentinelUris().stream()
                .map(uri -> uri.getHost() + ":" + uri.getPort())
                .collect(Collectors.joining(","));
        return List.of(
                "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER_NAME,
                "spring.data.redis.sentinel.nodes=" + sentinels);
    }

    @Override
    public URI clock() {
        return beside.clock();
    }

    @Override
    public String versions() {
        RedisServer one = redis.servers().get(0);
        return "Redis " + one.version() + " with 2 replicas and 3 Sentinels, " + beside.rabbitVersion();
    }

    @Override
    public void close() {
        redis.close();
        beside.close();
    }
}
