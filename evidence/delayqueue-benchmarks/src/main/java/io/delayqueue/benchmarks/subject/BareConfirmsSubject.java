// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmCallback;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.server.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A limit, not a peer: tasks wait in this JVM's memory and are then published over one channel with a confirm listener,
 * at most {@value #WINDOW} unconfirmed. A message has only the payload, or also an id, headers and the mandatory flag.
 * A consumer needs the id to detect duplicates; the flag makes the broker return unroutable messages.
 */
final class BareConfirmsSubject implements Subject {

    private static final int WINDOW = 4_000;

    private final Connection connection;
    private final Channel channel;
    private final String routingKey;
    private final boolean told;
    private final ConcurrentSkipListMap<Long, Task> waiting = new ConcurrentSkipListMap<>();
    private final Semaphore window = new Semaphore(WINDOW);
    private final AtomicLong confirmed = new AtomicLong();
    private final Threads threads = new Threads();

    /** @param told whether messages have an id and headers, and are mandatory */
    BareConfirmsSubject(Place place, Need need, boolean told) {
        this.told = told;
        this.routingKey = Objects.requireNonNull(need.target(), "this subject only forwards")
                .name();
        this.connection = BrokerQueue.connect(place);
        try {
            this.channel = connection.createChannel();
            channel.confirmSelect();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        ConfirmCallback acked = (tag, multiple) -> release(tag);
        ConfirmCallback nacked = (tag, multiple) -> {
            throw new IOException("The broker refused message " + tag);
        };
        channel.addConfirmListener(acked, nacked);
        threads.repeat(this::publishDue);
    }

    /** Counts confirms, which may be cumulative or individual. */
    private void release(long tag) {
        long before = confirmed.getAndAccumulate(tag, Math::max);
        if (tag > before) {
            window.release((int) (tag - before));
        }
    }

    private void publishDue() throws IOException, InterruptedException {
        var first = waiting.firstEntry();
        if (first == null || first.getValue().dueAt() > System.currentTimeMillis()) {
            Thread.sleep(1);
            return;
        }
        window.acquire();
        Task task = first.getValue();
        channel.basicPublish(
                BrokerQueue.EXCHANGE,
                routingKey,
                told,
                told ? properties(task) : MessageProperties.PERSISTENT_BASIC,
                task.payload().getBytes(StandardCharsets.UTF_8));
        waiting.remove(first.getKey());
    }

    private static AMQP.BasicProperties properties(Task task) {
        Map<String, Object> headers = Map.of(
                "dq-queue", "queue0", "dq-due-at", task.dueAt(), "dq-attempt", 1, "dq-fencing-token", task.number());
        return new AMQP.BasicProperties.Builder()
                .messageId(task.id())
                .contentType("text/plain;charset=UTF-8")
                .deliveryMode(2)
                .headers(headers)
                .build();
    }

    @Override
    public void schedule(Task task) {
        waiting.put(task.number(), task);
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        tasks.forEach(this::schedule);
    }

    @Override
    public boolean cancel(Task task) {
        return waiting.remove(task.number()) != null;
    }

    @Override
    public long pending() {
        return waiting.size() + (WINDOW - window.availablePermits());
    }

    @Override
    public void close() {
        threads.close();
        connection.abort();
    }
}
