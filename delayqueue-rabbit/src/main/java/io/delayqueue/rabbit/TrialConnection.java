// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.SocketConfigurator;
import io.delayqueue.internal.concurrent.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * The connection for messages over which the broker may close it, one at a time. It leads to where the last connection
 * led, and is there while somebody is {@linkplain #enter in it}. Whoever has {@linkplain #begin begun} has it for
 * himself. Where there is none to be had, it is asked for again after pauses that grow.
 */
final class TrialConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TrialConnection.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration GOOD_BYE = Duration.ofMillis(500);
    private static final long WARNING_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final BrokerConnection broker;
    private final ConnectionFactory driver;
    private final SocketConfigurator sockets;
    private final SocketGuard guard;
    private final Duration callLimit;
    private final String name;
    private final GrowingPause pause;
    private final AtomicInteger users = new AtomicInteger();
    private final ReentrantLock oneAtATime = new ReentrantLock(true);
    private @Nullable Connection connection;
    private @Nullable ConfirmChannel channel;
    private long nextWarning = System.nanoTime();

    /**
     * @param driver of the publisher's connection
     * @param sockets configures sockets as the application wants it
     */
    TrialConnection(
            BrokerConnection broker,
            ConnectionFactory driver,
            SocketConfigurator sockets,
            Scheduler timer,
            RabbitPublisherOptions options) {
        this.guard = new SocketGuard(timer, () -> {});
        this.broker = broker;
        this.driver = driver;
        this.sockets = sockets;
        this.callLimit = options.rpcTimeout().plusSeconds(1);
        this.name = options.connectionName() + "-trial";
        this.pause = new GrowingPause(FIRST_PAUSE, options.longestPause());
    }

    void enter() {
        users.incrementAndGet();
    }

    /** The last one closes it, after whoever may have begun meanwhile. */
    void leave() {
        if (users.decrementAndGet() > 0) {
            return;
        }
        oneAtATime.lock();
        try {
            if (users.get() == 0) {
                discard();
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

    /** How long no connection is asked for; zero if there may be one. */
    Duration unavailableFor() {
        return pause.left();
    }

    /** The channel of whoever has begun; connects if need be. Returns null if there is none to be had. */
    @Nullable
    ConfirmChannel channel() {
        Connection current = connection;
        ConfirmChannel known = channel;
        if (current != null && known != null && known.isUsableOn(current)) {
            return known;
        }
        discard();
        if (!pause.left().isZero()) {
            return null;
        }
        try {
            ConfirmChannel opened = open();
            pause.reset();
            return opened;
        } catch (Throwable ex) {
            // Resolvers of addresses and providers of credentials throw what they like.
            discard();
            pause.trouble();
            report(ex);
            return null;
        }
    }

    private ConfirmChannel open() throws IOException {
        Connection current = connect();
        connection = current;
        ConfirmChannel opened = ConfirmChannel.open(current, guard, callLimit);
        channel = opened;
        opened.confirm();
        return opened;
    }

    /** Its sockets have a guard of their own, which leaves the publisher's connection alone. */
    private Connection connect() throws IOException {
        Address node = broker.lastNode();
        if (node == null) {
            throw new IOException("not connected to RabbitMQ");
        }
        ConnectionFactory own = driver.clone();
        own.setSocketConfigurator(guard.keeping(sockets));
        try {
            return own.newConnection(List.of(node), name);
        } catch (TimeoutException ex) {
            throw new IOException(ex);
        }
    }

    /** Warns once in a while. */
    private void report(Throwable ex) {
        long now = System.nanoTime();
        if (now - nextWarning < 0 || broker.isClosed()) {
            log.debug("No second connection", ex);
            return;
        }
        nextWarning = now + WARNING_INTERVAL_NANOS;
        // Of an exception of the application's only its class, as it may show credentials.
        String reason = NestedExceptionUtils.getMostSpecificCause(ex) instanceof ShutdownSignalException signal
                ? String.valueOf(signal.getMessage())
                : ex.getClass().getName();
        log.warn(
                "There is no second connection to RabbitMQ, on which messages are tried over which it closed the first"
                        + " one; they wait, and may close that one again. A limit of connections needs room for it: {}",
                reason);
    }

    /** Whether the broker answers something on the connection of whoever has begun. */
    boolean answers() {
        Connection current = connection;
        if (current == null) {
            return false;
        }
        try {
            ConfirmChannel.open(current, guard, callLimit).abort();
            return true;
        } catch (Throwable ex) {
            log.debug("The broker does not answer", ex);
            return false;
        }
    }

    /** Throws the connection away, on which answers may still come. */
    void discard() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try (SocketGuard.Watch watch = guard.watch()) {
                watch.begin(GOOD_BYE.multipliedBy(2));
                current.abort((int) GOOD_BYE.toMillis());
            }
        }
        ConfirmChannel known = channel;
        channel = null;
        if (known != null) {
            known.abort();
        }
    }

    /** There is none from now on. Does not block. */
    @Override
    public void close() {
        guard.refuse();
        guard.breakConnection();
    }
}
