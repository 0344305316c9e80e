// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Throttle;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/** A connection to the broker. Connects, reconnects after pauses, and tracks whether the broker accepts messages. */
public final class BrokerConnection {

    /** Creates threads that may block on the broker or run application code. */
    public static final ThreadFactory THREADS = NamedThreads.daemons("delayqueue-rabbit-");

    private static final Logger log = LoggerFactory.getLogger(BrokerConnection.class);
    private static final Duration BLOCKED_PAUSE = Duration.ofMillis(200);
    private static final Duration CONNECTING_PAUSE = Duration.ofMillis(20);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration GOOD_BYE = Duration.ofSeconds(1);

    private final CachingConnectionFactory factory;
    private final Duration longestPause;
    private final String consequence;
    private final GrowingPause pause;
    private final AtomicBoolean connecting = new AtomicBoolean();
    private volatile @Nullable BrokerSession session;
    private volatile @Nullable Address lastNode;
    private volatile boolean unreachable;
    private volatile boolean closed;
    private final AtomicBoolean troubled = new AtomicBoolean();
    private final Throttle unusable = new Throttle(Duration.ofSeconds(30));

    /** @param consequence the effect of a missing connection, for warnings */
    public BrokerConnection(CachingConnectionFactory factory, Duration longestPause, String consequence) {
        this.factory = factory;
        this.longestPause = longestPause;
        this.consequence = consequence;
        this.pause = new GrowingPause(FIRST_PAUSE, longestPause);
    }

    /**
     * Returns zero if messages can be published now, otherwise when to check again. Starts connecting on another thread
     * if necessary: connecting may take seconds, and the calling thread also scans other queues.
     */
    public Duration unavailableFor() {
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
                THREADS.newThread(this::connectAndEnd).start();
            } catch (Throwable ex) {
                connecting.set(false);
                Guard.tell(() -> log.debug("No thread available to connect; retrying in {}", CONNECTING_PAUSE, ex));
            }
        }
        return CONNECTING_PAUSE;
    }

    /**
     * Like {@link #unavailableFor}, but connects on the calling thread, within the time-outs, unless another thread is
     * connecting.
     */
    public Duration unavailableOnceConnected() {
        BrokerSession current = session;
        boolean isOpen = current != null && current.isOpen();
        return (!isOpen && begins()) ? connectAndEnd() : unavailableFor();
    }

    /** Returns whether the calling thread must connect. */
    private boolean begins() {
        return !closed && connecting.compareAndSet(false, true);
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
            // Pauses because the broker may close each new connection at its first use, for example if the user may not
            // open channels.
            if (current.age().compareTo(longestPause) < 0) {
                pause.trouble();
            }
            report("The connection to RabbitMQ is lost; " + consequence + ": " + current.ending());
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
            unreachable = false;
            if (closed) {
                connection.abort((int) GOOD_BYE.toMillis());
            }
        } catch (Throwable ex) {
            // Address resolvers and credential providers may throw anything.
            unreachable = true;
            pause.trouble();
            report("Cannot connect to RabbitMQ; " + consequence + ": " + reason(ex));
            log.debug("Could not connect", ex);
            return pause.left();
        }
        return Duration.ZERO;
    }

    /**
     * Returns an open connection. Resets the factory first if necessary: Spring AMQP up to 4.0.2 returns a lost
     * connection until the factory is reset or a channel is requested.
     */
    private Connection openedConnection() {
        Connection connection = factory.createConnection().getDelegate();
        if (connection.isOpen()) {
            return connection;
        }
        factory.resetConnection();
        return factory.createConnection().getDelegate();
    }

    /**
     * Returns the reason for a log message. For application exceptions, returns only the class, because the message may
     * contain credentials.
     */
    private static String reason(Throwable ex) {
        return (ex instanceof AmqpException)
                ? String.valueOf(ex.getMessage())
                : ex.getClass().getName();
    }

    /** Logs a warning, once until publishing works again. */
    private void report(String message) {
        if (!closed && troubled.compareAndSet(false, true)) {
            log.warn(message);
        } else {
            log.debug(message);
        }
    }

    /**
     * Returns the open connection. Does not connect.
     *
     * @throws IOException if there is none
     */
    public Connection open() throws IOException {
        BrokerSession current = session;
        if (current == null || !current.isOpen()) {
            throw new IOException("not connected to RabbitMQ");
        }
        return current.connection();
    }

    /**
     * Returns the address of the last connection.
     *
     * @throws IOException if there was none, or this is closed
     */
    public Address lastNode() throws IOException {
        Address node = lastNode;
        if (node == null || closed) {
            throw new IOException("not connected to RabbitMQ");
        }
        return node;
    }

    /** Returns whether a connection is open. */
    public boolean isConnected() {
        BrokerSession current = session;
        return current != null && current.isOpen();
    }

    /** Returns whether the last attempt to connect failed. */
    public boolean isUnreachable() {
        return unreachable;
    }

    /** Returns whether the broker has blocked its publishers. */
    public boolean isBlocked() {
        BrokerSession current = session;
        return current != null && current.isOpen() && current.isBlocked();
    }

    /** Returns whether the broker has blocked its publishers at any time since that moment. */
    public boolean wasBlockedSince(long nanoTime) {
        BrokerSession current = session;
        return current != null && current.wasBlockedSince(nanoTime);
    }

    /**
     * Reports that the connection is being closed. The pauses before further attempts grow until messages are published
     * again.
     */
    public void givenUp() {
        report("RabbitMQ does not respond; closing the connection and reconnecting");
        pause.trouble();
    }

    /**
     * Reports that the open connection could not be used. Triggers acquire no tasks during the following pause. The
     * pauses grow until messages are published again.
     */
    public void unusable(Throwable reason) {
        BrokerSession current = session;
        if (current == null || !current.isOpen()) {
            return;
        }
        pause.trouble();
        if (unusable.passes()) {
            log.warn("Could not publish to RabbitMQ although the connection is open; retrying: {}", reason.toString());
        }
    }

    /** Reports that a message was confirmed. */
    public void works() {
        pause.reset();
        if (troubled.get() && troubled.compareAndSet(true, false)) {
            log.info("RabbitMQ accepts messages again");
        }
    }

    /** Closes the connection, if there is one. The next attempt to connect starts without a pause. */
    public void disconnect() {
        BrokerSession current = session;
        session = null;
        if (current != null) {
            current.connection().abort((int) GOOD_BYE.toMillis());
        }
    }

    /** Stops connecting. */
    public void close() {
        closed = true;
    }

    /** Returns the remaining pause before the next attempt to connect. */
    public Duration pause() {
        return pause.left();
    }

    /** Closes the connection cleanly. */
    public void destroy() {
        factory.destroy();
    }
}
