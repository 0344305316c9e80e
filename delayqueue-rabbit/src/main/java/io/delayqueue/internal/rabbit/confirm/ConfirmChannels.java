// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import com.rabbitmq.client.ChannelContinuationTimeoutException;
import com.rabbitmq.client.Connection;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.connection.ConnectionSettings;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.connection.SocketGuard;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/** A pool with the channels of a connection, one for each batch in progress. Thread-safe. */
public final class ConfirmChannels implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConfirmChannels.class);
    private static final long CLOSER_IDLE_SECONDS = 10;
    /**
     * Number of threads that close channels. Closing a channel that the broker blocks takes {@link
     * ConfirmChannel#CLOSE_LIMIT}.
     */
    private static final int CLOSERS = 8;
    /** Maximum number of channels to close. A connection has at most 2047 channels. */
    private static final int MOST_TO_CLOSE = 256;

    private final BrokerConnection broker;
    private final SocketGuard guard;
    private final Duration rpcTimeout;
    private final Duration callLimit;
    private final Deque<ConfirmChannel> idle = new ConcurrentLinkedDeque<>();
    private final ThreadPoolExecutor closer;

    ConfirmChannels(BrokerConnection broker, SocketGuard guard, Duration rpcTimeout) {
        this.broker = broker;
        this.guard = guard;
        this.rpcTimeout = rpcTimeout;
        this.callLimit = rpcTimeout.plusSeconds(1);
        this.closer = new ThreadPoolExecutor(
                CLOSERS,
                CLOSERS,
                CLOSER_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                BrokerConnection.THREADS);
        closer.allowCoreThreadTimeOut(true);
    }

    /**
     * Creates a connection and its channels.
     *
     * @param factory a connection factory for this connection only
     * @param timer the timer, which must not run blocking steps
     * @param consequence the effect of a missing connection, for warnings
     */
    public static ConfirmChannels over(
            CachingConnectionFactory factory, RabbitPublisherOptions options, Scheduler timer, String consequence) {
        BrokerConnection broker = new BrokerConnection(factory, options.longestPause(), consequence);
        SocketGuard guard = new SocketGuard(timer, broker::givenUp);
        ConnectionSettings.apply(factory, options, guard);
        return new ConfirmChannels(broker, guard, options.rpcTimeout());
    }

    /** Returns the connection. */
    public BrokerConnection broker() {
        return broker;
    }

    /** Returns a new watch for calls on channels that are not of this pool. */
    public SocketGuard.Watch watch() {
        return guard.watch();
    }

    /** @throws IOException if no channel is available; the driver may also throw a runtime exception */
    public ConfirmChannel borrow() throws IOException {
        Connection connection = broker.open();
        for (ConfirmChannel channel = idle.pollFirst(); channel != null; channel = idle.pollFirst()) {
            if (channel.isUsableOn(connection)) {
                return channel;
            }
            discard(channel);
        }
        return open(connection);
    }

    private ConfirmChannel open(Connection connection) throws IOException {
        ConfirmChannel channel = ConfirmChannel.open(connection, guard, callLimit);
        try {
            channel.confirm();
            return channel;
        } catch (Throwable ex) {
            discard(channel);
            throw ex;
        }
    }

    /** Returns a channel to the pool. It must not await any answers. */
    public void giveBack(ConfirmChannel channel) {
        idle.addFirst(channel);
    }

    /**
     * Closes a channel that may still receive answers. Does not block. Closes the connection if the broker blocks too
     * many channels.
     */
    public void discard(ConfirmChannel channel) {
        try {
            if (closer.getQueue().size() >= MOST_TO_CLOSE) {
                closer.getQueue().clear(); // These channels are closed with the connection.
                guard.breakConnection();
            }
            closer.execute(channel::abort);
        } catch (Throwable ex) {
            // This also happens if no thread can be created. The batch must still be settled.
            log.debug("The channel was closed with its connection: {}", ex.toString());
        }
    }

    /**
     * Returns whether the broker answers on the connection of this channel. Closes the connection if the answer times
     * out, but not if the request could not be sent.
     */
    public boolean answersOn(ConfirmChannel silent) {
        try {
            Connection connection = broker.open();
            if (!silent.isOn(connection)) {
                return false;
            }
            giveBack(open(connection));
            return true;
        } catch (IOException | RuntimeException ex) {
            log.debug("The broker does not respond", ex);
            breakIfSilent(ex);
            return false;
        }
    }

    /** Closes the connection at once if a call timed out, unless the broker has a resource alarm. */
    public void breakIfSilent(Throwable failure) {
        boolean silent = failure instanceof ChannelContinuationTimeoutException
                || failure.getCause() instanceof ChannelContinuationTimeoutException;
        if (silent && !broker.isBlocked()) {
            guard.breakConnection();
        }
    }

    /** Closes the connection, if there is one. The next attempt to connect starts without a pause. */
    public void disconnect() {
        SocketGuard.Watch watch = guard.watch();
        watch.begin(callLimit);
        try {
            broker.disconnect();
        } finally {
            watch.end();
            idle.clear();
        }
    }

    /** Closes the connection of a publisher that is being closed, even while connecting. */
    @Override
    public void close() {
        broker.close();
        closer.shutdown();
        idle.clear();
        guard.refuse();
        if (!broker.isConnected()) {
            guard.breakConnection(); // A connecting thread holds the lock that close needs.
        }
        SocketGuard.Watch watch = guard.watch();
        watch.begin(rpcTimeout);
        try {
            broker.destroy();
        } catch (RuntimeException ex) {
            log.debug("The connection to RabbitMQ was not closed cleanly", ex);
        } finally {
            watch.end();
        }
        guard.breakConnection();
    }
}
