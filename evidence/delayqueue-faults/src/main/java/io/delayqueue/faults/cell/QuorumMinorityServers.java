// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.test.server.RabbitCluster;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * One Redis, and three nodes of RabbitMQ. All clients use the first node. Only this node hosts the classic queue. The
 * quorum queue, which receives a part of the tasks, needs another node.
 */
final class QuorumMinorityServers implements Servers {

    /** The share of the tasks for RabbitMQ, chosen by their ids. */
    static final int QUORUM_PERCENT = 10;

    private final RedisServer redis =
            StandaloneServers.configured(RedisServer.installed()).start();
    private final RabbitCluster rabbit;

    QuorumMinorityServers() {
        try {
            this.rabbit = RabbitCluster.installed();
        } catch (RuntimeException ex) {
            redis.close();
            throw ex;
        }
        try {
            declareQuorumQueue();
        } catch (Exception ex) {
            close();
            throw new IllegalStateException("The quorum queue could not be declared", ex);
        }
    }

    private void declareQuorumQueue() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(first().uri());
        try (Connection connection = factory.newConnection("quorum");
                Channel channel = connection.createChannel()) {
            String queue = LoadApplication.QUORUM_QUEUE;
            channel.exchangeDeclare(LoadApplication.EXCHANGE, "direct", true);
            channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind(queue, LoadApplication.EXCHANGE, LoadApplication.QUORUM_ROUTING_KEY);
        }
    }

    private RabbitServer first() {
        return rabbit.nodes().get(0);
    }

    /** Returns the other nodes, without which the quorum queue has no majority. */
    List<RabbitServer> others() {
        return rabbit.nodes().subList(1, rabbit.nodes().size());
    }

    @Override
    public List<String> forApplications() {
        return List.of(
                StandaloneServers.redisProperty(redis.port()),
                "spring.rabbitmq.addresses=" + first().publisherUri(),
                "faults.quorum-percent=" + QUORUM_PERCENT);
    }

    @Override
    public List<String> forObserver() {
        return List.of(
                "spring.data.redis.url=" + redis.adminUri(),
                "spring.rabbitmq.addresses=" + first().uri(),
                Observer.SECOND_QUEUE + "=" + LoadApplication.QUORUM_QUEUE);
    }

    @Override
    public URI clock() {
        return redis.adminUri();
    }

    @Override
    public String versions() {
        return "Redis " + redis.version() + ", three nodes of " + RabbitVersion.of(first());
    }

    @Override
    public void close() {
        rabbit.close();
        redis.close();
    }
}
