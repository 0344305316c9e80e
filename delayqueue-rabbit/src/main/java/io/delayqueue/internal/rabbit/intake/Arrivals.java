// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
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

    private static final int BATCH = 500;
    private static final Duration LOOK = Duration.ofMillis(500);

    private final BlockingQueue<Received> messages = new LinkedBlockingQueue<>();
    private volatile @Nullable String end;

    Arrivals(Channel channel) {
        super(channel);
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

    /** Returns the received messages; empty after a while without messages. */
    List<Received> next() throws IOException, InterruptedException {
        check();
        Received first = messages.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        if (first == null) {
            return List.of();
        }
        List<Received> batch = new ArrayList<>();
        batch.add(first);
        messages.drainTo(batch, BATCH - 1);
        return batch;
    }
}
