// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.ChannelContinuationTimeoutException;
import io.delayqueue.engine.Delivery;
import io.delayqueue.engine.TaskDestination;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes tasks to RabbitMQ, each batch on a channel of its own. What was published gets its outcome from {@link
 * BrokerVerdicts}; what was not is released.
 */
final class RabbitDestination implements TaskDestination {

    private static final Logger log = LoggerFactory.getLogger(RabbitDestination.class);

    private final OutgoingMapper mapper;
    private final Duration confirmTimeout;
    private final BrokerConnection broker;
    private final ConfirmChannels channels;
    private final BrokerVerdicts verdicts;
    private final FailedAttempts failed = new FailedAttempts();
    private final Set<ConfirmTracker> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    RabbitDestination(
            OutgoingMapper mapper, Duration confirmTimeout, BrokerConnection broker, ConfirmChannels channels) {
        this.mapper = mapper;
        this.confirmTimeout = confirmTimeout;
        this.broker = broker;
        this.channels = channels;
        this.verdicts = new BrokerVerdicts(confirmTimeout, broker, channels, failed);
    }

    @Override
    public Duration unavailableFor() {
        return broker.unavailableFor();
    }

    @Override
    public void deliver(List<Delivery> deliveries) {
        List<Outgoing> batch = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            Outgoing outgoing = mapper.map(delivery);
            if (outgoing != null) {
                batch.add(outgoing);
            }
        }
        if (!batch.isEmpty()) {
            // one of the suspects made the broker close the channel; alone each shows whether it was the one
            publish(batch, false).forEach(suspect -> publish(new ArrayList<>(List.of(suspect)), true));
        }
    }

    /**
     * Publishes a batch and calls its outcomes.
     *
     * @param again whether it was published before, under the same lease
     * @return those that might have made the broker close the channel, still without outcome; none if there was only one
     */
    private List<Outgoing> publish(List<Outgoing> batch, boolean again) {
        ConfirmChannel channel = channelFor(batch, again);
        if (channel == null) {
            return List.of();
        }
        long start = System.nanoTime();
        ConfirmTracker tracker = channel.track(batch);
        running.add(tracker);
        if (closed) {
            tracker.end(new IOException("the trigger is closed"));
        }
        boolean reusable = false;
        try {
            reusable = publishAll(channel, tracker, batch);
            tracker.await(confirmTimeout);
        } catch (InterruptedException ex) {
            tracker.end(new IOException("interrupted"));
            Thread.currentThread().interrupt();
        } finally {
            running.remove(tracker);
            if (reusable && tracker.leavesChannelReusable()) {
                channels.giveBack(channel);
            } else {
                channels.discard(channel);
            }
        }
        return verdicts.apply(batch, tracker, channel, start, again);
    }

    /** Returns null when there is nothing to publish on it: then every task of the batch has its outcome. */
    private @Nullable ConfirmChannel channelFor(List<Outgoing> batch, boolean again) {
        try {
            while (!broker.isBlocked() && !batch.isEmpty()) {
                ConfirmChannel channel = channels.borrow();
                if (!dropRefused(channel, batch, again)) {
                    return channel;
                }
                channels.discard(channel);
            }
        } catch (IOException | RuntimeException ex) {
            log.debug("{} task(s) not published", batch.size(), ex);
            if (isTimeout(ex) && !broker.isBlocked()) {
                channels.breakConnection();
            }
            broker.unusable(ex);
        }
        batch.forEach(outgoing -> verdicts.notPublished(outgoing.delivery(), again));
        return null;
    }

    /** Fails, and removes from the batch, what goes to an exchange that the broker refuses. The channel is closed then. */
    private boolean dropRefused(ConfirmChannel channel, List<Outgoing> batch, boolean again) throws IOException {
        for (Outgoing candidate : batch) {
            String exchange = candidate.exchange();
            String objection = channel.objectionTo(exchange);
            if (objection != null) {
                batch.stream()
                        .filter(outgoing -> outgoing.exchange().equals(exchange))
                        .forEach(outgoing -> failed.fail(outgoing, objection, again));
                batch.removeIf(outgoing -> outgoing.exchange().equals(exchange));
                return true;
            }
        }
        return false;
    }

    /** Returns false if the channel must not be used again, whatever the broker answers. */
    private boolean publishAll(ConfirmChannel channel, ConfirmTracker tracker, List<Outgoing> batch) {
        for (int i = 0; i < batch.size(); i++) {
            Outgoing outgoing = batch.get(i);
            boolean leaseTooShort = outgoing.delivery().leaseRemaining().compareTo(confirmTimeout) < 0;
            if (leaseTooShort || broker.isBlocked() || tracker.end() != null) {
                return true;
            }
            try {
                if (!channel.publish(tracker, i, outgoing, confirmTimeout)) {
                    return false;
                }
            } catch (IllegalArgumentException ex) {
                outgoing.delivery().bury("cannot be an AMQP message: " + ex.getMessage());
                return false;
            }
        }
        return true;
    }

    private static boolean isTimeout(Exception ex) {
        return ex instanceof ChannelContinuationTimeoutException
                || ex.getCause() instanceof ChannelContinuationTimeoutException;
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(tracker -> tracker.end(new IOException("the trigger is closed")));
    }
}
