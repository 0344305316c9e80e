// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a test asks of the broker, each time on a new connection so that it survives whatever is done to the broker. The system
 * property {@code delayqueue.test.queue-type} says of which type its queues are: {@code classic}, {@code classic-v2}, or {@code
 * quorum}; without it of the broker's default.
 */
final class Broker {

    private static final Map<String, Map<String, Object>> TYPES = Map.of(
            "", Map.of(),
            "classic", Map.of("x-queue-type", "classic"),
            "classic-v2", Map.of("x-queue-type", "classic", "x-queue-version", 2),
            "quorum", Map.of("x-queue-type", "quorum"));

    private final URI uri;

    Broker(URI uri) {
        this.uri = uri;
    }

    /** A durable queue of its own, bound to a direct exchange of the same name by its name. */
    String declare(Map<String, Object> arguments) throws Exception {
        String name = "b-" + UUID.randomUUID().toString().substring(0, 8);
        Map<String, Object> all = new HashMap<>(TYPES.get(System.getProperty("delayqueue.test.queue-type", "")));
        all.putAll(arguments);
        return with(channel -> {
            channel.exchangeDeclare(name, "direct", true);
            channel.queueDeclare(name, true, false, false, all);
            channel.queueBind(name, name, name);
            return name;
        });
    }

    long count(String queue) throws Exception {
        return with(channel -> channel.messageCount(queue));
    }

    /** Takes all messages. */
    List<GetResponse> drain(String queue) throws Exception {
        return with(channel -> {
            List<GetResponse> all = new ArrayList<>();
            for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
                all.add(next);
            }
            return all;
        });
    }

    /** Takes all messages and counts them by id. */
    Map<String, Integer> drainCounts(String queue) throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        for (GetResponse message : drain(queue)) {
            counts.merge(message.getProps().getMessageId(), 1, Integer::sum);
        }
        return counts;
    }

    <T> T with(Work<T> work) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        factory.setAutomaticRecoveryEnabled(false);
        try (Connection connection = factory.newConnection()) {
            Channel channel = connection.createChannel();
            return work.on(channel);
        }
    }

    /** Something done on a channel. */
    interface Work<T> {

        T on(Channel channel) throws Exception;
    }
}
