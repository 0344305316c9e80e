// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.test.server.RabbitCluster;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;

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
        try {
            declareBrokerQueue();
        } catch (RuntimeException ex) {
            close();
            throw ex;
        }
    }

    /** Returns the node that all clients use first, and that leads the queue. */
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
        return List.of("spring.data.redis.url=" + redis.adminUri(), "spring.rabbitmq.addresses=" + rabbit.addresses());
    }

    @Override
    public boolean hasBrokerQueue() {
        return true;
    }

    /** Declares a quorum queue, which survives the loss of a node. */
    private void declareBrokerQueue() {
        CachingConnectionFactory connections = new CachingConnectionFactory(leader().uri());
        try {
            RabbitAdmin admin = new RabbitAdmin(connections);
            DirectExchange exchange = new DirectExchange("faults");
            Queue queue =
                    QueueBuilder.durable(LoadApplication.BROKER_QUEUE).quorum().build();
            admin.declareExchange(exchange);
            admin.declareQueue(queue);
            admin.declareBinding(BindingBuilder.bind(queue).to(exchange).with("arrived"));
        } finally {
            connections.destroy();
        }
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
