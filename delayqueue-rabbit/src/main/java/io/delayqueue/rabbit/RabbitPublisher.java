// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.CacheMode;
import org.springframework.beans.factory.DisposableBean;

/**
 * Owns the connection over which all triggers of an application publish, separate from the application's own so that an
 * alarm of the broker stops neither its consumers nor its own publishers, and so that its time-outs are short.
 *
 * <p>Connects when a trigger first asks, on a thread of its own. Every call to the broker, every write included, ends
 * within the time-outs of the options: a connection whose broker no longer reads is closed. Safe for many threads.
 */
public final class RabbitPublisher implements DisposableBean {

    /** Creates the threads that may block on the broker or run code of the application. */
    static final ThreadFactory THREADS = NamedThreads.daemons("delayqueue-rabbit-");

    private static final Logger log = LoggerFactory.getLogger(RabbitPublisher.class);

    private final CachingConnectionFactory connectionFactory;
    private final RabbitPublisherOptions options;
    private final BrokerConnection broker;
    private final SocketGuard guard;
    private final ConfirmChannels channels;
    private final ThreadPoolExecutor confirms;
    private final Scheduler timer = new Scheduler();
    private final SilentAddresses silent = new SilentAddresses();
    private final RefusingAddresses refusing;
    private final TrialConnection trial;
    private final FatalMessages fatal = new FatalMessages();
    private final ConfirmCounts confirmed = new ConfirmCounts();

    /**
     * Takes over a connection factory and sets on it what must be set.
     *
     * @param connectionFactory with servers, credentials and TLS as the application has them; for this publisher alone,
     *     not yet connected, and closed with it
     */
    public RabbitPublisher(CachingConnectionFactory connectionFactory, RabbitPublisherOptions options) {
        this.connectionFactory = connectionFactory;
        this.options = options;
        this.refusing = new RefusingAddresses(options.longestPause());
        this.broker = new BrokerConnection(connectionFactory, options.longestPause());
        this.guard = new SocketGuard(timer, broker::givenUp);
        ConnectionFactory driver = connectionFactory.getRabbitConnectionFactory();
        this.trial = new TrialConnection(broker, driver, driver.getSocketConfigurator(), timer, options);
        configure(driver, options, guard);
        configure(connectionFactory, options);
        this.channels = new ConfirmChannels(broker, guard, options.rpcTimeout());
        this.confirms = confirmThreads();
    }

    /**
     * Grows with the batches to end, so that what an application does there for one queue does not delay the others.
     */
    private static ThreadPoolExecutor confirmThreads() {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), THREADS);
    }

    private static void configure(ConnectionFactory client, RabbitPublisherOptions options, SocketGuard guard) {
        client.setChannelRpcTimeout(shorter(client.getChannelRpcTimeout(), options.rpcTimeout()));
        client.setConnectionTimeout(shorter(client.getConnectionTimeout(), options.connectionTimeout()));
        client.setHandshakeTimeout(shorter(client.getHandshakeTimeout(), options.connectionTimeout()));
        int heartbeat = (int) options.heartbeat().toSeconds();
        int configured = client.getRequestedHeartbeat();
        client.setRequestedHeartbeat(configured > 0 ? Math.min(configured, heartbeat) : heartbeat);
        client.setAutomaticRecoveryEnabled(false);
        client.setMetricsCollector(new HarmlessMetrics(client.getMetricsCollector()));
        client.setSocketConfigurator(guard.keeping(client.getSocketConfigurator()));
    }

    private static void configure(CachingConnectionFactory factory, RabbitPublisherOptions options) {
        factory.setCacheMode(CacheMode.CHANNEL);
        factory.setChannelCheckoutTimeout(options.rpcTimeout().toMillis());
        factory.setCloseTimeout((int) options.rpcTimeout().toMillis());
        AtomicInteger count = new AtomicInteger();
        factory.setConnectionNameStrategy(f -> options.connectionName() + "#" + count.getAndIncrement());
    }

    private static int shorter(int configuredMillis, Duration limit) {
        int millis = (int) limit.toMillis();
        return configuredMillis > 0 ? Math.min(configuredMillis, millis) : millis;
    }

    /**
     * Connects now instead of when a trigger first asks, and so makes the declarations.
     *
     * @return whether the broker takes messages; if not, that is logged, and triggers go on trying
     */
    public boolean connect() {
        return broker.unavailableOnceConnected().isZero();
    }

    /** How it treats its connection. */
    public RabbitPublisherOptions options() {
        return options;
    }

    /** The factory of its connection, for declarations and checks. It must be neither reconfigured nor closed. */
    public CachingConnectionFactory connectionFactory() {
        return connectionFactory;
    }

    /** The addresses whose messages the broker nacks now, of queues that do not count nacks. A snapshot. */
    public List<RabbitRefusal> refusals() {
        return refusing.all();
    }

    /** How many messages the broker has nacked since this publisher was made, of queues that do not count nacks. */
    public long nacks() {
        return refusing.nacks();
    }

    /** What the broker said of the messages that were sent since this publisher was made. */
    public RabbitConfirms confirms() {
        return confirmed.counts();
    }

    /** Whether there is a connection now. It is made when a trigger first asks. Does not block. */
    public boolean isConnected() {
        return broker.isConnected();
    }

    /** Whether the broker has asked its publishers to wait, as it does when it is short of memory or disk space. */
    public boolean isBlocked() {
        return broker.isBlocked();
    }

    TaskDestination destination(OutgoingMapper mapper, PublishingOptions how) {
        return destination(mapper, how, confirms);
    }

    TaskDestination destination(OutgoingMapper mapper, PublishingOptions how, Executor afterConfirms) {
        AfterConfirms after = new AfterConfirms(afterConfirms, timer);
        return new RabbitDestination(
                mapper,
                how,
                new PublisherConnection(broker, channels, silent, refusing, trial, fatal, confirmed, after));
    }

    /** Closes the connection. To be called when the triggers have stopped. */
    @Override
    public void destroy() {
        broker.close();
        channels.close();
        trial.close();
        guard.refuse();
        if (!broker.isConnected()) {
            guard.breakConnection(); // whoever connects holds the lock that the factory's end waits for
        }
        try (SocketGuard.Watch watch = guard.watch()) {
            watch.begin(options.rpcTimeout());
            connectionFactory.destroy();
        } catch (RuntimeException ex) {
            log.debug("The connection to RabbitMQ did not close in good order", ex);
        }
        guard.breakConnection();
        // last: the end of the connection is what batches are waiting for that have no other answer
        timer.close();
        confirms.shutdown();
    }
}
