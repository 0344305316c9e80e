// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP 0-9-1 broker inside this JVM (Apache Qpid Broker-J), for a first look and for quick tests where no RabbitMQ
 * is at hand. Listens on the loopback interface, user and password {@code guest}; everything is in memory and gone with
 * {@link #stop()}; the port stays the same.
 *
 * <p>It is not RabbitMQ. An unroutable mandatory message is first nacked and then returned, where RabbitMQ returns and
 * then acks it. A queue argument it does not know, such as {@code x-queue-type}, closes the connection. There are no
 * policies and no memory alarms. Proof that something works with RabbitMQ takes a {@link RabbitServer}.
 *
 * <p>Its threads keep the JVM alive until {@link #stop()}.
 *
 * <p>Calls may come from any thread and block until done. The broker logs to SLF4J under {@code
 * org.apache.qpid}; its operational messages are turned off.
 */
public final class EmbeddedAmqpBroker implements AutoCloseable {

    /** A busy machine may keep the first client waiting for longer than one ping has patience. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final int port = FreePort.next();
    private @Nullable SystemLauncher launcher;

    /**
     * Starts the broker. Does nothing while it runs.
     *
     * @throws TestServerException if it does not come up
     */
    public synchronized void start() {
        if (launcher != null) {
            return;
        }
        SystemLauncher started = new SystemLauncher(new QuietStart());
        launcher = started;
        try {
            started.startup(configuration());
            if (!Pause.until(START_LIMIT, new AmqpPing(uri())::isReady)) {
                throw new TestServerException(description() + " does not answer");
            }
        } catch (Exception | LinkageError e) {
            stop();
            throw new TestServerException(description() + " did not come up", e);
        }
    }

    private Map<String, Object> configuration() {
        Map<String, String> context = new HashMap<>();
        context.put(SystemConfig.QPID_WORK_DIR, System.getProperty("java.io.tmpdir") + "/delayqueue-qpid-unused");
        context.put("qpid.broker.defaultPreferenceStoreAttributes", "{\"type\": \"Noop\"}");
        context.put("qpid.amqp_port", "" + port);
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(SystemConfig.TYPE, "Memory");
        attributes.put(SystemConfig.CONTEXT, context);
        attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false);
        attributes.put(
                SystemConfig.INITIAL_CONFIGURATION_LOCATION,
                Objects.requireNonNull(EmbeddedAmqpBroker.class.getResource("embedded-amqp-broker.json"))
                        .toExternalForm());
        return attributes;
    }

    /** Drops all connections and all messages. Does nothing while it is down. */
    public synchronized void stop() {
        if (launcher != null) {
            launcher.shutdown();
            launcher = null;
        }
    }

    public synchronized boolean isRunning() {
        return launcher != null;
    }

    public String host() {
        return "127.0.0.1";
    }

    /** Where clients connect; the same over restarts. */
    public int port() {
        return port;
    }

    /** Host, port and credentials: {@code amqp://guest:guest@127.0.0.1:port}. */
    public URI uri() {
        return URI.create("amqp://guest:guest@" + host() + ":" + port);
    }

    /** What runs and where, for a log line. */
    public String description() {
        return "embedded AMQP broker (Apache Qpid) on " + host() + ":" + port;
    }

    /** The same as {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    @Override
    public String toString() {
        return description();
    }
}
