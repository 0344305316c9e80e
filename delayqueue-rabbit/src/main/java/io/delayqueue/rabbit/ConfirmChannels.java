// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.ChannelContinuationTimeoutException;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The channels of the connection: as many as there are batches under way, reused. */
final class ConfirmChannels implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConfirmChannels.class);
    private static final long CLOSER_IDLE_SECONDS = 10;
    /** A channel that the broker holds back takes {@link ConfirmChannel#CLOSE_LIMIT} to close. */
    private static final int CLOSERS = 8;
    /** The maximum number of channels, of the 2047 of a connection. */
    private static final int MOST_TO_CLOSE = 256;

    private final BrokerConnection broker;
    private final SocketGuard guard;
    private final Duration callLimit;
    private final Deque<ConfirmChannel> idle = new ConcurrentLinkedDeque<>();
    private final ThreadPoolExecutor closer;

    ConfirmChannels(BrokerConnection broker, SocketGuard guard, Duration rpcTimeout) {
        this.broker = broker;
        this.guard = guard;
        this.callLimit = rpcTimeout.plusSeconds(1);
        this.closer = new ThreadPoolExecutor(
                CLOSERS,
                CLOSERS,
                CLOSER_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                RabbitPublisher.THREADS);
        closer.allowCoreThreadTimeOut(true);
    }

    /** @throws IOException or a runtime exception of the driver if there is none to be had */
    ConfirmChannel borrow() throws IOException {
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

    /** The channel awaits no answer. */
    void giveBack(ConfirmChannel channel) {
        idle.addFirst(channel);
    }

    /**
     * Answers may still come on the channel: nobody shall use it again. Does not block. Closes the connection where the
     * broker holds back more channels than can be closed.
     */
    void discard(ConfirmChannel channel) {
        try {
            if (closer.getQueue().size() >= MOST_TO_CLOSE) {
                closer.getQueue().clear();
                guard.breakConnection();
            }
            closer.execute(channel::abort);
        } catch (Throwable ex) {
            // also where no thread can be made: what the broker said about the batch is more important
            log.debug("The channel ends with its connection: {}", ex.toString());
        }
    }

    /**
     * Whether the broker answers anything on the connection of this channel. The connection is closed if the broker
     * lets the time for an answer pass, and stays where the question could not even be asked.
     */
    boolean answersOn(ConfirmChannel silent) {
        try {
            Connection connection = broker.open();
            if (!silent.isOn(connection)) {
                return false;
            }
            giveBack(open(connection));
            return true;
        } catch (IOException | RuntimeException ex) {
            log.debug("The broker does not answer", ex);
            breakIfSilent(ex);
            return false;
        }
    }

    /**
     * Closes the connection, without asking the broker, if a call failed for want of an answer that an alarm does not
     * explain.
     */
    void breakIfSilent(Throwable failure) {
        boolean silent = failure instanceof ChannelContinuationTimeoutException
                || failure.getCause() instanceof ChannelContinuationTimeoutException;
        if (silent && !broker.isBlocked()) {
            guard.breakConnection();
        }
    }

    @Override
    public void close() {
        closer.shutdown();
        idle.clear();
    }
}
