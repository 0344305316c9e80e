// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP 0-9-1 broker inside this JVM (Apache Qpid Broker-J), for first experiments and quick tests without RabbitMQ.
 * Listens on the loopback interface; user and password are {@code guest}. It stores everything in memory until
 * {@link #stop()} and keeps its port across restarts.
 *
 * <p>It differs from RabbitMQ. It nacks an unroutable mandatory message and then returns it, while RabbitMQ returns the
 * message and then acks it; the library reports a return in both cases. It closes the connection for a queue argument
 * that it does not know, such as {@code x-queue-type}. It has no policies and no memory alarms. To verify that code
 * works with RabbitMQ, use a RabbitMQ server, for example in a container.
 *
 * <p>Its jars are optional dependencies. Add {@code qpid-broker-core}, {@code qpid-broker-plugins-amqp-0-8-protocol}
 * and {@code qpid-broker-plugins-memory-store} of {@code org.apache.qpid} to the test class path.
 *
 * <p>Its threads keep the JVM alive until {@link #stop()}.
 *
 * <p>Calls block until they have taken effect. Thread-safe. The broker logs to SLF4J under {@code org.apache.qpid}; its
 * operational messages are turned off.
 */
public final class EmbeddedAmqpBroker implements AutoCloseable {

    static final String QPID_VERSION = "10.1.0";

    /** A class from each optional jar, with the name of the jar. */
    private static final Map<String, String> JARS = new TreeMap<>(Map.of(
            "org.apache.qpid.server.SystemLauncher", qpid("qpid-broker-core"),
            "org.apache.qpid.server.protocol.v0_8.AMQPConnection_0_8", qpid("qpid-broker-plugins-amqp-0-8-protocol"),
            "org.apache.qpid.server.store.MemorySystemConfigImpl", qpid("qpid-broker-plugins-memory-store"),
            "com.rabbitmq.client.ConnectionFactory", "com.rabbitmq:amqp-client"));

    private final int port = FreePort.next();
    private @Nullable QpidBroker broker;

    private static String qpid(String artifact) {
        return "org.apache.qpid:" + artifact + ":" + QPID_VERSION;
    }

    /**
     * Starts the broker. Does nothing if it is running.
     *
     * @throws RuntimeException if a jar of the broker is missing, or if the broker does not start
     */
    public synchronized void start() {
        if (broker != null) {
            return;
        }
        requireJars(JARS);
        broker = QpidBroker.start(this);
    }

    static void requireJars(Map<String, String> jars) {
        List<String> missing = jars.entrySet().stream()
                .filter(jar -> !isPresent(jar.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        if (!missing.isEmpty()) {
            throw new TestServerException("The embedded AMQP broker is not on the class path. Add " + missing
                    + " in test scope, or use a RabbitMQ server, for example with @ServiceConnection.");
        }
    }

    private static boolean isPresent(String className) {
        try {
            Class.forName(className, false, EmbeddedAmqpBroker.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }

    /** Closes all connections and deletes all messages. Does nothing if the broker is stopped. */
    public synchronized void stop() {
        if (broker != null) {
            broker.shutdown();
            broker = null;
        }
    }

    /** Returns whether the broker accepts connections. */
    public synchronized boolean isRunning() {
        return broker != null;
    }

    /** Returns the address of the loopback interface. */
    public String host() {
        return "127.0.0.1";
    }

    /** Returns the port for clients. It stays the same across restarts. */
    public int port() {
        return port;
    }

    /** Returns the address with credentials: {@code amqp://guest:guest@127.0.0.1:port}. */
    public URI uri() {
        return URI.create("amqp://guest:guest@" + host() + ":" + port);
    }

    /** Returns a description of the broker and its address for a log line. */
    public String description() {
        return "embedded AMQP broker (Apache Qpid) on " + host() + ":" + port;
    }

    /** Stops the broker, like {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    @Override
    public String toString() {
        return description();
    }
}
