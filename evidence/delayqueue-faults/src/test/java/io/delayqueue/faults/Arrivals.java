// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.delayqueue.rabbit.RabbitHeaders;
import io.delayqueue.test.server.RabbitServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What arrived at a RabbitMQ queue: every message, with the moment it was seen. */
final class Arrivals implements AutoCloseable {

    private final Connection connection;
    private final ConcurrentLinkedQueue<Arrival> seen = new ConcurrentLinkedQueue<>();

    private Arrivals(RabbitServer rabbit) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        this.connection = factory.newConnection("arrivals");
    }

    /** Takes messages as they come. */
    static Arrivals consuming(RabbitServer rabbit, String queue) throws Exception {
        Arrivals arrivals = new Arrivals(rabbit);
        Channel channel = arrivals.connection.createChannel();
        channel.basicQos(2000);
        channel.basicConsume(
                queue,
                true,
                (tag, message) -> arrivals.seen.add(Arrival.of(message.getProperties())),
                tag -> assertThat(tag).as("the consumer was cancelled").isNull());
        return arrivals;
    }

    /** Takes what a queue holds now, each message once: for queues whose broker was killed while they were filled. */
    static Arrivals collected(RabbitServer rabbit, String queue) throws Exception {
        Arrivals arrivals = new Arrivals(rabbit);
        Channel channel = arrivals.connection.createChannel();
        for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
            arrivals.seen.add(Arrival.of(next.getProps()));
        }
        return arrivals;
    }

    int count() {
        return seen.size();
    }

    List<Arrival> all() {
        return new ArrayList<>(seen);
    }

    Set<String> ids() {
        Set<String> ids = new HashSet<>();
        seen.forEach(arrival -> ids.add(arrival.id()));
        return ids;
    }

    /** The ids that arrived more than once. */
    Set<String> duplicates() {
        Set<String> ids = new HashSet<>();
        Set<String> duplicates = new HashSet<>();
        for (Arrival arrival : seen) {
            if (!ids.add(arrival.id())) {
                duplicates.add(arrival.id());
            }
        }
        return duplicates;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /**
     * One message.
     *
     * @param id task id
     * @param dueAtMillis when it was due
     * @param seenAtMillis when it was here, by the clock that the Redis server on this machine reads too
     */
    record Arrival(String id, long dueAtMillis, long seenAtMillis) {

        private static Arrival of(BasicProperties properties) {
            long due = ((Number) properties.getHeaders().get(RabbitHeaders.DUE_AT)).longValue();
            return new Arrival(properties.getMessageId(), due, System.currentTimeMillis());
        }
    }
}
