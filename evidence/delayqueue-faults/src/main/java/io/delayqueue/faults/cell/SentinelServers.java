// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RedisSentinels;
import io.delayqueue.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A master with two replicas and three Sentinels, and one RabbitMQ. */
public class SentinelServers extends FailoverServers<RedisSentinels> {

    /** A master that is silent for this long counts as down. */
    static final Duration DOWN_AFTER = Duration.ofSeconds(1);

    private final ExpectedMaster<RedisServer> master = new ExpectedMaster<>(() -> redis().master());

    public SentinelServers() {
        super(
                () -> RedisSentinels.installed()
                        .replicas(2)
                        .downAfter(DOWN_AFTER)
                        .config("appendfsync always")
                        .config("min-replicas-to-write 1")
                        .start(),
                RedisSentinels::close);
    }

    final ExpectedMaster<RedisServer> master() {
        return master;
    }

    @Override
    public void complete(Path histories) {
        master.get();
    }

    @Override
    RedisServer one() {
        return redis().servers().get(0);
    }

    @Override
    List<String> addresses() {
        return List.of(
                "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER_NAME,
                "spring.data.redis.sentinel.nodes=" + hostsAndPorts(redis().sentinelUris()));
    }

    @Override
    List<String> userPrefixes() {
        return List.of("spring.data.redis", "spring.data.redis.sentinel");
    }

    @Override
    String redisVersions() {
        return "Redis " + one().version() + " with 2 replicas and 3 Sentinels";
    }
}
