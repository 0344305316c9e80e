// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DeliverCallback;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A durable queue of the broker, bound to a direct exchange under its own name. Not thread-safe. */
public final class BrokerQueue implements AutoCloseable {

    /** The exchange that messages for the queue are published to. */
    public static final String EXCHANGE = "benchmark";

    /** The default prefetch of a listener of Spring AMQP. */
    private static final int PREFETCH = 250;

    private final String name;
    private final Connection connection;
    private final Channel channel;

    public BrokerQueue(Place place, String name, boolean quorum) {
        this.name = name;
        try {
            this.connection = connect(place);
            this.channel = connection.createChannel();
            channel.exchangeDeclare(EXCHANGE, "direct", true);
            channel.queueDelete(name);
            channel.queueDeclare(
                    name, true, false, false, quorum ? Map.of("x-queue-type", "quorum") : Map.<String, Object>of());
            channel.queueBind(name, EXCHANGE, name);
        } catch (IOException ex) {
            throw new IllegalStateException("Queue " + name + " could not be declared", ex);
        }
    }

    /** Returns a connection of the RabbitMQ client. */
    public static Connection connect(Place place) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(place.broker());
            return factory.newConnection();
        } catch (IOException
                | TimeoutException
                | java.security.GeneralSecurityException
                | java.net.URISyntaxException ex) {
            throw new IllegalStateException("No connection to " + place.rabbit(), ex);
        }
    }

    public String name() {
        return name;
    }

    /** Returns the number of ready messages. */
    public int depth() {
        try {
            return channel.queueDeclarePassive(name).getMessageCount();
        } catch (IOException ex) {
            throw new IllegalStateException("The depth of " + name + " could not be read", ex);
        }
    }

    /** Deletes all messages. */
    public void purge() {
        try {
            channel.queuePurge(name);
        } catch (IOException ex) {
            throw new IllegalStateException("Queue " + name + " could not be purged", ex);
        }
    }

    /**
     * Consumes messages until this number has arrived and no further message follows, or until no message arrives for a
     * while.
     */
    public void drain(int count, Consumer<String> payloads) throws InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        DeliverCallback deliver = (tag, message) -> {
            payloads.accept(new String(message.getBody(), StandardCharsets.UTF_8));
            taken.incrementAndGet();
        };
        CancelCallback cancelled = tag -> {};
        try {
            String consumer = channel.basicConsume(name, true, deliver, cancelled);
            long quietSince = System.nanoTime();
            int seen = 0;
            while (System.nanoTime() - quietSince < (seen < count ? 3_000_000_000L : 200_000_000L)) {
                Thread.sleep(10);
                if (taken.get() > seen) {
                    seen = taken.get();
                    quietSince = System.nanoTime();
                }
            }
            channel.basicCancel(consumer);
        } catch (IOException ex) {
            throw new IllegalStateException("Queue " + name + " could not be emptied", ex);
        }
    }

    /**
     * Consumes and acknowledges messages as they arrive, with a prefetch of {@value #PREFETCH}, until this is closed.
     */
    public void consume(Consumer<String> payloads) {
        try {
            Channel consumer = connection.createChannel();
            consumer.basicQos(PREFETCH);
            DeliverCallback deliver = (tag, message) -> {
                payloads.accept(new String(message.getBody(), StandardCharsets.UTF_8));
                consumer.basicAck(message.getEnvelope().getDeliveryTag(), false);
            };
            CancelCallback cancelled = tag -> {};
            consumer.basicConsume(name, false, deliver, cancelled);
        } catch (IOException ex) {
            throw new IllegalStateException("Queue " + name + " has no consumer", ex);
        }
    }

    /** Deletes the queue. */
    @Override
    public void close() {
        try {
            channel.queueDelete(name);
            connection.close();
        } catch (IOException ex) {
            throw new IllegalStateException("Queue " + name + " could not be deleted", ex);
        }
    }
}
