// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection for messages over which the broker may close it, one at a time. It leads to where the last connection
 * led, and is there while somebody is {@linkplain #enter in it}. Whoever has {@linkplain #begin begun} has it for
 * himself.
 */
final class TrialConnection {

    private final BrokerConnection broker;
    private final ConnectionFactory driver;
    private final SocketGuard guard;
    private final Duration callLimit;
    private final String name;
    private final AtomicInteger users = new AtomicInteger();
    private final ReentrantLock oneAtATime = new ReentrantLock(true);
    private @Nullable Connection connection;
    private @Nullable ConfirmChannel channel;

    TrialConnection(
            BrokerConnection broker, ConnectionFactory driver, SocketGuard guard, RabbitPublisherOptions options) {
        this.broker = broker;
        this.driver = driver;
        this.guard = guard;
        this.callLimit = options.rpcTimeout().plusSeconds(1);
        this.name = options.connectionName() + "-trial";
    }

    void enter() {
        users.incrementAndGet();
    }

    /** The last one closes it. May block for as long as one message takes. */
    void leave() {
        oneAtATime.lock();
        try {
            if (users.decrementAndGet() == 0) {
                close();
            }
        } finally {
            oneAtATime.unlock();
        }
    }

    /**
     * Waits for those who came before.
     *
     * @return whether nobody else uses the connection until {@link #end}
     */
    boolean begin(Duration patience) throws InterruptedException {
        return oneAtATime.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    void end() {
        oneAtATime.unlock();
    }

    /**
     * The channel of whoever has begun; connects if need be.
     *
     * @throws IOException or what the driver and what the application connects by throw, if there is none to be had
     */
    ConfirmChannel channel() throws IOException {
        Connection current = connection;
        if (current == null || !current.isOpen()) {
            drop();
            current = connect();
            connection = current;
        }
        ConfirmChannel known = channel;
        if (known != null && known.isUsableOn(current)) {
            return known;
        }
        drop();
        ConfirmChannel opened = ConfirmChannel.open(current, guard, callLimit);
        try {
            opened.confirm();
        } catch (Throwable ex) {
            opened.abort();
            throw ex;
        }
        channel = opened;
        return opened;
    }

    /** Throws the channel away, on which answers may still come. */
    void drop() {
        ConfirmChannel known = channel;
        channel = null;
        if (known != null) {
            known.abort();
        }
    }

    private Connection connect() throws IOException {
        Address node = broker.lastNode();
        if (node == null) {
            throw new IOException("not connected to RabbitMQ");
        }
        try {
            return driver.newConnection(List.of(node), name);
        } catch (TimeoutException ex) {
            throw new IOException(ex);
        }
    }

    private void close() {
        drop();
        Connection current = connection;
        connection = null;
        if (current != null) {
            try (SocketGuard.Watch watch = guard.watch()) {
                watch.begin(callLimit);
                current.abort((int) callLimit.toMillis());
            }
        }
    }
}
