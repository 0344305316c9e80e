// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.core.NestedExceptionUtils;

/** The one connection to the broker: makes it, makes it again, and knows whether the broker takes messages now. */
final class BrokerConnection {

    private static final Logger log = LoggerFactory.getLogger(BrokerConnection.class);
    private static final Duration BLOCKED_PAUSE = Duration.ofMillis(200);
    private static final Duration CONNECTING_PAUSE = Duration.ofMillis(100);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final long WARNING_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final CachingConnectionFactory factory;
    private final Duration longestPause;
    private final GrowingPause pause;
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile @Nullable Session session;
    private volatile @Nullable Address lastNode;
    private volatile boolean closed;
    private final AtomicBoolean troubled = new AtomicBoolean();
    private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

    BrokerConnection(CachingConnectionFactory factory, Duration longestPause) {
        this.factory = factory;
        this.longestPause = longestPause;
        this.pause = new GrowingPause(FIRST_PAUSE, longestPause);
    }

    /** Zero if messages can be published now, else when to ask again. Connects if need be, for a bounded time. */
    Duration unavailableFor() {
        Session current = session;
        if (current != null && current.isOpen()) {
            return current.isBlocked() ? BLOCKED_PAUSE : pause.left();
        }
        if (closed || !connecting.tryLock()) {
            return CONNECTING_PAUSE;
        }
        try {
            return connect();
        } finally {
            connecting.unlock();
        }
    }

    private Duration connect() {
        Session current = session;
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
            lastNode = node(connection);
            session = new Session(connection);
        } catch (RuntimeException ex) {
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

    /** By the name under which it was found, if there was one: certificates are for names. */
    private static @Nullable Address node(Connection connection) {
        InetAddress address = connection.getAddress();
        if (address == null) {
            return null;
        }
        String nameAndNumber = address.toString(); // the only way to the name that asks no server for one
        String name = nameAndNumber.substring(0, nameAndNumber.lastIndexOf('/'));
        return new Address(name.isEmpty() ? address.getHostAddress() : name, connection.getPort());
    }

    /** Of an exception of the application's only its class, as it may show credentials. */
    private static String reason(RuntimeException ex) {
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
        Session current = session;
        if (current == null || !current.isOpen()) {
            throw new IOException("not connected to RabbitMQ");
        }
        return current.connection;
    }

    /** Where the last connection led; null before the first one, and when this is closed. */
    @Nullable
    Address lastNode() {
        return closed ? null : lastNode;
    }

    boolean isConnected() {
        Session current = session;
        return current != null && current.isOpen();
    }

    /** Whether the broker has asked its publishers to wait. */
    boolean isBlocked() {
        Session current = session;
        return current != null && current.isOpen() && current.isBlocked();
    }

    /**
     * Whether this broker nacks a message that no queue takes, and only then returns it. Qpid does; RabbitMQ returns it
     * first and acks it.
     */
    boolean nacksWhatIsUnroutable() {
        Session current = session;
        return current != null && current.isQpid;
    }

    /** Whether it has asked so now or at any time since then. */
    boolean wasBlockedSince(long nanoTime) {
        Session current = session;
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
        Session current = session;
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

    /** One connection from its beginning to its end. */
    private final class Session implements BlockedListener {

        private final Connection connection;
        private final boolean isQpid;
        private final long madeAt = System.nanoTime();
        private volatile boolean blocked;
        private volatile long unblockedAt =
                System.nanoTime() - Duration.ofDays(1).toNanos();

        Session(Connection connection) {
            this.connection = connection;
            Map<String, Object> broker = connection.getServerProperties();
            String product = (broker == null) ? "" : String.valueOf(broker.get("product"));
            this.isQpid = product.toLowerCase(Locale.ROOT).contains("qpid");
            connection.addBlockedListener(this);
        }

        @Override
        public void handleBlocked(String reason) {
            blocked = true;
            report("RabbitMQ blocks its publishers; nothing is delivered until it ends: " + reason);
        }

        @Override
        public void handleUnblocked() {
            unblockedAt = System.nanoTime();
            blocked = false;
            log.info("RabbitMQ no longer blocks its publishers");
        }

        boolean isOpen() {
            return connection.isOpen();
        }

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - madeAt);
        }

        boolean isBlocked() {
            return blocked;
        }

        boolean wasBlockedSince(long nanoTime) {
            return blocked || unblockedAt - nanoTime >= 0;
        }

        String ending() {
            ShutdownSignalException reason = connection.getCloseReason();
            return (reason == null)
                    ? "closed"
                    : String.valueOf(
                            NestedExceptionUtils.getMostSpecificCause(reason).getMessage());
        }
    }
}
