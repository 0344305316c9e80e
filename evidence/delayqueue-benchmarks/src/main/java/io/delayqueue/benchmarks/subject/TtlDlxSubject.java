// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DeliverCallback;
import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.server.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** RabbitMQ alone: persistent messages with a time to live in a durable queue that dead-letters to the target. */
final class TtlDlxSubject implements Subject {

    private final Connection connection;
    private final Channel channel;
    private final BrokerQueue target;
    private final boolean ownsTarget;
    private final String waiting;

    TtlDlxSubject(Place place, Need need) {
        BrokerQueue given = need.target();
        this.ownsTarget = given == null;
        this.target = (given != null) ? given : new BrokerQueue(place, "ttl-dlx-due", false);
        this.waiting = target.name() + "-waiting";
        this.connection = BrokerQueue.connect(place);
        try {
            this.channel = connection.createChannel();
            channel.queueDelete(waiting);
            channel.queueDeclare(
                    waiting,
                    true,
                    false,
                    false,
                    Map.of("x-dead-letter-exchange", BrokerQueue.EXCHANGE, "x-dead-letter-routing-key", target.name()));
            channel.confirmSelect();
            Sink sink = need.sink();
            if (sink != null) {
                consume(sink);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void consume(Sink sink) throws IOException {
        Channel consumer = connection.createChannel();
        consumer.basicQos(500);
        DeliverCallback deliver = (tag, message) -> {
            sink.arrived(new String(message.getBody(), StandardCharsets.UTF_8));
            consumer.basicAck(message.getEnvelope().getDeliveryTag(), false);
        };
        CancelCallback cancelled = tag -> {};
        consumer.basicConsume(target.name(), false, deliver, cancelled);
    }

    @Override
    public synchronized void schedule(Task task) {
        scheduleAll(List.of(task));
    }

    @Override
    public synchronized void scheduleAll(List<Task> tasks) {
        try {
            for (Task task : tasks) {
                long delay = Math.max(0, task.dueAt() - System.currentTimeMillis());
                BasicProperties properties = new BasicProperties.Builder()
                        .deliveryMode(2)
                        .expiration(String.valueOf(delay))
                        .build();
                channel.basicPublish("", waiting, properties, task.payload().getBytes(StandardCharsets.UTF_8));
            }
            channel.waitForConfirmsOrDie(30_000);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException | TimeoutException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public boolean cancel(Task task) {
        throw new UnsupportedOperationException("A message in a queue cannot be cancelled");
    }

    @Override
    public synchronized long pending() {
        try {
            return channel.queueDeclarePassive(waiting).getMessageCount();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public synchronized void close() {
        try {
            channel.queueDelete(waiting);
            connection.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        if (ownsTarget) {
            target.close();
        }
    }
}
