// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.delayqueue.internal.rabbit.connection.SocketGuard;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A channel in confirm mode that carries one batch at a time. Used by one thread at a time. */
public final class ConfirmChannel implements ConfirmListener, ReturnListener, ShutdownListener {

    /** Maximum time to close a channel. The driver waits up to 10 s for the broker's reply. */
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(11);

    private final Connection connection;
    private final Channel channel;
    private final SocketGuard.Watch watch;
    private final Duration callLimit;
    private final boolean nacksWhatIsUnroutable;
    private final Set<String> knownExchanges = new HashSet<>();
    private volatile ConfirmTracker tracker = new ConfirmTracker(List.of(), 0);

    private ConfirmChannel(Connection connection, Channel channel, SocketGuard.Watch watch, Duration callLimit) {
        this.connection = connection;
        this.channel = channel;
        this.watch = watch;
        this.callLimit = callLimit;
        this.nacksWhatIsUnroutable = isQpid(connection);
    }

    /**
     * Returns whether the broker is Qpid, which nacks only unroutable messages. RabbitMQ returns an unroutable message
     * and then acks it.
     */
    private static boolean isQpid(Connection connection) {
        Map<String, Object> broker = connection.getServerProperties();
        return broker != null
                && String.valueOf(broker.get("product"))
                        .toLowerCase(Locale.ROOT)
                        .contains("qpid");
    }

    /**
     * Opens a channel. Call {@link #confirm} before you publish.
     *
     * @param callLimit time limit for each call, longer than the connection's own time-out
     */
    static ConfirmChannel open(Connection connection, SocketGuard guard, Duration callLimit) throws IOException {
        SocketGuard.Watch watch = guard.watch();
        watch.begin(callLimit);
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                throw new IOException("the connection has no free channel; raise channel-max or use fewer threads");
            }
            return new ConfirmChannel(connection, channel, watch, callLimit);
        } finally {
            watch.end();
        }
    }

    void confirm() throws IOException {
        watch.begin(callLimit);
        try {
            channel.confirmSelect();
        } finally {
            watch.end();
        }
        channel.addConfirmListener(this);
        channel.addReturnListener(this);
        channel.addShutdownListener(this);
    }

    boolean isOn(Connection current) {
        return connection == current;
    }

    /** Returns whether this channel can be used for a batch on this connection. */
    boolean isUsableOn(Connection current) {
        return isOn(current) && channel.isOpen();
    }

    /**
     * Checks whether an exchange exists, once per channel. Publishing to a missing exchange would close the channel in
     * the middle of a batch, so that the results of earlier messages would be unknown.
     *
     * @return the broker's reason for closing this channel; null if the exchange exists
     */
    public @Nullable String objectionTo(String exchange) throws IOException {
        if (exchange.isEmpty() || knownExchanges.contains(exchange)) {
            return null;
        }
        watch.begin(callLimit);
        try {
            channel.exchangeDeclarePassive(exchange);
            knownExchanges.add(exchange);
            return null;
        } catch (IOException ex) {
            String objection = (ex.getCause() instanceof ShutdownSignalException signal)
                    ? ChannelClosing.objection(signal, exchange)
                    : null;
            if (objection == null) {
                throw ex;
            }
            return objection;
        } finally {
            watch.end();
        }
    }

    /** Returns a tracker that receives the broker's answers from now on. */
    public ConfirmTracker track(List<Outgoing> batch) {
        ConfirmTracker next = new ConfirmTracker(batch, channel.getNextPublishSeqNo());
        tracker = next;
        if (!channel.isOpen()) {
            next.end(channel.getCloseReason());
        }
        return next;
    }

    /**
     * Publishes the message at this index of the tracked batch.
     *
     * @param limit maximum duration of a write
     * @return whether the channel can be used for the next message
     * @throws UnfitMessageException if the driver cannot encode the message; publish no more messages on this channel
     */
    public boolean publish(ConfirmTracker current, int index, Outgoing outgoing, Duration limit) {
        current.publishing(index);
        watch.begin(limit);
        try {
            channel.basicPublish(
                    outgoing.to().exchange(), outgoing.to().routingKey(), true, outgoing.properties(), outgoing.body());
            return true;
        } catch (AlreadyClosedException ex) {
            current.notPublished(index);
            current.end(ex);
            return false;
        } catch (IOException ex) {
            current.end(ex);
            return false;
        } catch (RuntimeException ex) {
            // The driver creates all frames before it writes the first one.
            current.notPublished(index);
            throw new UnfitMessageException(ex);
        } finally {
            watch.end();
        }
    }

    /**
     * Closes the channel and ignores errors. May block for {@link #CLOSE_LIMIT}; the guard then ends the write. If the
     * broker does not reply, the connection stays open, because the broker may be blocking only this channel.
     */
    void abort() {
        watch.begin(CLOSE_LIMIT);
        try {
            if (channel.isOpen()) {
                channel.abort();
            }
        } catch (Throwable ex) {
            // The channel is discarded in any case.
        } finally {
            watch.end();
        }
    }

    @Override
    public void handleAck(long deliveryTag, boolean multiple) {
        tracker.confirmed(deliveryTag, multiple, true);
    }

    @Override
    public void handleNack(long deliveryTag, boolean multiple) {
        if (nacksWhatIsUnroutable) {
            tracker.unroutable(deliveryTag, multiple);
        } else {
            tracker.confirmed(deliveryTag, multiple, false);
        }
    }

    @Override
    public void handleReturn(
            int replyCode,
            String replyText,
            String exchange,
            String routingKey,
            AMQP.BasicProperties properties,
            byte[] body) {
        ConfirmTracker current = tracker;
        Map<String, Object> headers = properties.getHeaders();
        Object token = (headers != null) ? headers.get(RabbitHeaders.FENCING_TOKEN) : null;
        Object longId = (headers != null) ? headers.get(RabbitHeaders.ID) : null;
        String id = (longId != null) ? longId.toString() : properties.getMessageId();
        String reason = replyCode + " " + replyText;
        if (!current.returned(id, token, reason)) {
            current.returned(new RabbitAddress(exchange, routingKey), properties, body, reason);
        }
    }

    @Override
    public void shutdownCompleted(ShutdownSignalException cause) {
        tracker.end(cause);
    }
}
