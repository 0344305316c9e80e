// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.delayqueue.internal.transaction.TaskChanges;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Queue of delivered messages that are not stored yet. Its size is limited by the prefetch. */
final class Arrivals extends DefaultConsumer {

    private static final Duration LOOK = Duration.ofMillis(500);

    private final BlockingQueue<Received> messages = new LinkedBlockingQueue<>();
    private final IntakeMapper mapper;
    private @Nullable IntakeTask next; // Did not fit into the previous batch.
    private volatile @Nullable String end;

    Arrivals(Channel channel, IntakeMapper mapper) {
        super(channel);
        this.mapper = mapper;
    }

    @Override
    public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
        messages.add(new Received(envelope, properties, body));
    }

    @Override
    public void handleCancel(String tag) {
        end = "the broker has cancelled the consumer, for example because the queue was deleted";
    }

    @Override
    public void handleShutdownSignal(String tag, ShutdownSignalException signal) {
        end = signal.getMessage();
    }

    /** @throws IOException if the consumer has ended, so that the broker may deliver the same messages to another one */
    void check() throws IOException {
        if (end != null) {
            throw new IOException(end);
        }
    }

    /**
     * Returns the next messages; empty after a while without messages. Redis stores them in one call, so that they keep
     * their order also if calls fail.
     */
    List<IntakeTask> next() throws IOException, InterruptedException {
        check();
        List<IntakeTask> batch = new ArrayList<>();
        if (next == null) {
            next = mapped(messages.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS));
        }
        int bytes = 0;
        while (next != null
                && batch.size() < TaskChanges.TASKS_OF_A_CALL
                && (batch.isEmpty() || bytes + next.size() <= TaskChanges.BYTES_OF_A_CALL)) {
            batch.add(next);
            bytes += next.size();
            next = mapped(messages.poll());
        }
        return batch;
    }

    private @Nullable IntakeTask mapped(@Nullable Received message) {
        return message == null ? null : mapper.map(message);
    }
}
