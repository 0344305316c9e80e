// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import io.delayqueue.internal.concurrent.Guard;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/** The one connection to the broker: makes it, makes it again, and knows whether the broker takes messages now. */
final class BrokerConnection {

    private static final Logger log = LoggerFactory.getLogger(BrokerConnection.class);
    private static final Duration BLOCKED_PAUSE = Duration.ofMillis(200);
    private static final Duration SHORTEST_CONNECTING_PAUSE = Duration.ofMillis(10);
    private static final Duration CONNECTING_PAUSE = Duration.ofMillis(100);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration GOOD_BYE = Duration.ofSeconds(1);
    private static final long WARNING_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final CachingConnectionFactory factory;
    private final Duration longestPause;
    private final GrowingPause pause;
    private final ThreadFactory threads = RabbitPublisher.THREADS;
    private final AtomicBoolean connecting = new AtomicBoolean();
    private volatile long connectingSince;
    private volatile @Nullable BrokerSession session;
    private volatile @Nullable Address lastNode;
    private volatile boolean closed;
    private final AtomicBoolean troubled = new AtomicBoolean();
    private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

    BrokerConnection(CachingConnectionFactory factory, Duration longestPause) {
        this.factory = factory;
        this.longestPause = longestPause;
        this.pause = new GrowingPause(FIRST_PAUSE, longestPause);
    }

    /**
     * Zero if messages can be published now, else when to ask again. Has it connected if need be, on a thread of its own:
     * that may take seconds, and whoever asks scans other queues too.
     */
    Duration unavailableFor() {
        BrokerSession current = session;
        if (current != null && current.isOpen()) {
            return current.isBlocked() ? BLOCKED_PAUSE : pause.left();
        }
        Duration left = pause.left();
        if (!left.isZero()) {
            return left;
        }
        if (begins()) {
            try {
                threads.newThread(this::connectAndEnd).start();
            } catch (Throwable ex) {
                connecting.set(false);
                Guard.tell(() -> log.debug("No thread to connect on; trying again in {}", CONNECTING_PAUSE, ex));
                return CONNECTING_PAUSE;
            }
        }
        return whileConnecting();
    }

    /** As {@link #unavailableFor}, but connects on the calling thread, for a bounded time, unless another one does. */
    Duration unavailableOnceConnected() {
        BrokerSession current = session;
        boolean isOpen = current != null && current.isOpen();
        return (!isOpen && begins()) ? connectAndEnd() : unavailableFor();
    }

    /** Whether the caller is to connect. */
    private boolean begins() {
        if (closed || !connecting.compareAndSet(false, true)) {
            return false;
        }
        connectingSince = System.nanoTime();
        return true;
    }

    /** Asked again soon at first, as most connections are there at once. */
    private Duration whileConnecting() {
        Duration since = Duration.ofNanos(System.nanoTime() - connectingSince);
        if (closed || since.compareTo(CONNECTING_PAUSE) > 0) {
            return CONNECTING_PAUSE;
        }
        return since.compareTo(SHORTEST_CONNECTING_PAUSE) > 0 ? since : SHORTEST_CONNECTING_PAUSE;
    }

    private Duration connectAndEnd() {
        try {
            return connect();
        } finally {
            connecting.set(false);
        }
    }

    private Duration connect() {
        BrokerSession current = session;
        if (current != null && current.isOpen()) {
            return Duration.ZERO;
        }
        if (current != null) {
            // One that ends whenever it is used would be made anew without end, as where the user has no channel left.
            if (current.age().compareTo(longestPause) < 0) {
                pause.trouble();
            }
            report("The connection to RabbitMQ is lost; nothing is delivered until it is back: " + current.ending());
            session = null;
        }
        Duration left = pause.left();
        if (!left.isZero()) {
            return left;
        }
        try {
            Connection connection = openedConnection();
            BrokerSession made = new BrokerSession(connection, this::report);
            lastNode = made.node();
            session = made;
            if (closed) {
                connection.abort((int) GOOD_BYE.toMillis());
            }
        } catch (Throwable ex) {
            // Resolvers of addresses and providers of credentials throw what they like.
            pause.trouble();
            report("Cannot connect to RabbitMQ; nothing is delivered until that works: " + reason(ex));
            log.debug("Connecting failed", ex);
            return pause.left();
        }
        return Duration.ZERO;
    }

    /**
     * Spring AMQP up to 4.0.2 gives a connection that was lost again and again, until it is reset or a channel is asked of it,
     * which is never done here.
     */
    private Connection openedConnection() {
        Connection connection = factory.createConnection().getDelegate();
        if (connection.isOpen()) {
            return connection;
        }
        factory.resetConnection();
        return factory.createConnection().getDelegate();
    }

    /** Of an exception of the application's only its class, as it may show credentials. */
    private static String reason(Throwable ex) {
        return (ex instanceof AmqpException)
                ? String.valueOf(ex.getMessage())
                : ex.getClass().getName();
    }

    /** Warns once, until messages go through again. */
    private void report(String message) {
        if (!closed && troubled.compareAndSet(false, true)) {
            log.warn(message);
        } else {
            log.debug(message);
        }
    }

    /** @throws IOException if there is no open connection; it does not connect */
    Connection open() throws IOException {
        BrokerSession current = session;
        if (current == null || !current.isOpen()) {
            throw new IOException("not connected to RabbitMQ");
        }
        return current.connection();
    }

    /** Where the last connection led; null before the first one, and when this is closed. */
    @Nullable
    Address lastNode() {
        return closed ? null : lastNode;
    }

    boolean isConnected() {
        BrokerSession current = session;
        return current != null && current.isOpen();
    }

    /** Whether the broker has asked its publishers to wait. */
    boolean isBlocked() {
        BrokerSession current = session;
        return current != null && current.isOpen() && current.isBlocked();
    }

    /**
     * Whether this broker nacks a message that no queue takes, and only then returns it. Qpid does; RabbitMQ returns it
     * first and acks it.
     */
    boolean nacksWhatIsUnroutable() {
        BrokerSession current = session;
        return current != null && current.isQpid();
    }

    /** Whether it has asked so now or at any time since then. */
    boolean wasBlockedSince(long nanoTime) {
        BrokerSession current = session;
        return current != null && current.wasBlockedSince(nanoTime);
    }

    /** The connection is being given up: the next one is made after a pause that grows until messages go through. */
    void givenUp() {
        report("RabbitMQ neither reads nor answers; the connection is closed and made anew");
        pause.trouble();
    }

    /**
     * The connection is there but could not be used: nothing is acquired for a pause that grows until messages go
     * through. One that is lost soon after it was made begins its pause when the next is to be made.
     */
    void unusable(Throwable reason) {
        BrokerSession current = session;
        if (current == null || !current.isOpen()) {
            return;
        }
        pause.trouble();
        long now = System.nanoTime();
        long due = nextWarning.get();
        if (now - due >= 0 && nextWarning.compareAndSet(due, now + WARNING_INTERVAL_NANOS)) {
            log.warn("Cannot publish to RabbitMQ although it is connected; goes on trying: {}", reason.toString());
        }
    }

    /** A message was confirmed. */
    void works() {
        pause.reset();
        if (troubled.get() && troubled.compareAndSet(true, false)) {
            log.info("RabbitMQ takes messages again");
        }
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
