// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitCluster;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/** One Redis, and three nodes of RabbitMQ. */
public final class RabbitClusterServers implements Servers {

    private final RedisServer redis =
            StandaloneServers.configured(RedisServer.installed()).start();
    private final RabbitCluster rabbit;

    public RabbitClusterServers() {
        try {
            this.rabbit = RabbitCluster.installed();
        } catch (RuntimeException ex) {
            redis.close();
            throw ex;
        }
    }

    /** The node to which all connect first, and which leads the queue that they declare. */
    public RabbitServer leader() {
        return rabbit.nodes().get(0);
    }

    @Override
    public List<String> forApplications() {
        String addresses = rabbit.nodes().stream()
                .map(node -> node.publisherUri().toString())
                .collect(Collectors.joining(","));
        return List.of(StandaloneServers.redisProperty(redis.port()), "spring.rabbitmq.addresses=" + addresses);
    }

    @Override
    public List<String> forObserver() {
        return List.of(
                "spring.data.redis.url=" + redis.adminUri(),
                "spring.rabbitmq.addresses=" + rabbit.addresses(),
                "delayqueue.queues.forwarded.rabbit.declare.quorum=true");
    }

    @Override
    public URI clock() {
        return redis.adminUri();
    }

    @Override
    public String versions() {
        return "Redis " + redis.version() + ", three nodes of " + RabbitVersion.of(leader());
    }

    @Override
    public void close() {
        rabbit.close();
        redis.close();
    }
}
