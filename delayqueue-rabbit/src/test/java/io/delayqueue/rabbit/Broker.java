// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A test's calls to the broker, each on a new connection, so that they work whatever happens to the broker. The system
 * property {@code delayqueue.test.queue-type} sets the type of its queues: {@code classic}, {@code classic-v2} or
 * {@code quorum}; the broker's default without it.
 */
final class Broker {

    private static final Map<String, Map<String, Object>> TYPES = Map.of(
            "", Map.of(),
            "classic", Map.of("x-queue-type", "classic"),
            "classic-v2", Map.of("x-queue-type", "classic", "x-queue-version", 2),
            "quorum", Map.of("x-queue-type", "quorum"));

    /** From this number of messages on, a consumer takes less time than one call per message. */
    private static final int WORTH_A_CONSUMER = 200;

    private final URI uri;

    Broker(URI uri) {
        this.uri = uri;
    }

    /** Declares a durable queue, bound by its name to a direct exchange of the same name. */
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

    void delete(String queue) throws Exception {
        with(channel -> channel.queueDelete(queue));
    }

    /** Takes all messages. */
    List<GetResponse> drain(String queue) throws Exception {
        return with(channel -> {
            List<GetResponse> all = consumed(channel, queue);
            for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
                all.add(next);
            }
            return all;
        });
    }

    /** Returns the ids of all messages of a queue, and checks that none comes from a retry. */
    Set<String> firstAttempts(String queue) throws Exception {
        Set<String> ids = new HashSet<>();
        for (GetResponse message : drain(queue)) {
            assertThat(message.getProps().getHeaders()).containsEntry(RabbitHeaders.ATTEMPT, 1);
            ids.add(message.getProps().getMessageId());
        }
        return ids;
    }

    /** Consumes the ready messages if there are many. The remaining and later messages can still be fetched. */
    private static List<GetResponse> consumed(Channel channel, String queue) throws Exception {
        List<GetResponse> all = new ArrayList<>();
        long ready = channel.messageCount(queue);
        if (ready < WORTH_A_CONSUMER) {
            return all;
        }
        BlockingQueue<GetResponse> arriving = new LinkedBlockingQueue<>();
        CountDownLatch cancelled = new CountDownLatch(1);
        String tag = channel.basicConsume(queue, true, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(
                    String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
                arriving.add(new GetResponse(envelope, properties, body, 0));
            }

            @Override
            public void handleCancelOk(String consumerTag) {
                cancelled.countDown();
            }
        });
        for (GetResponse next = first(arriving); next != null; next = (all.size() < ready) ? first(arriving) : null) {
            all.add(next);
        }
        channel.basicCancel(tag);
        if (!cancelled.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("The broker still delivers from " + queue);
        }
        arriving.drainTo(all);
        return all;
    }

    private static GetResponse first(BlockingQueue<GetResponse> arriving) throws InterruptedException {
        return arriving.poll(5, TimeUnit.SECONDS);
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
