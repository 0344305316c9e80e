// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.rabbit.confirm.AfterConfirms;
import io.delayqueue.internal.rabbit.confirm.BatchAnswers;
import io.delayqueue.internal.rabbit.confirm.ChannelClosing;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannel;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannels;
import io.delayqueue.internal.rabbit.confirm.ConfirmTracker;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.internal.rabbit.confirm.UnfitMessageException;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes each batch on a separate channel and settles its tasks. {@link BrokerVerdicts} settles tasks whose messages
 * were published; the others are released. Thread-safe.
 */
public final class PublishedBatches {

    private static final Logger log = LoggerFactory.getLogger(PublishedBatches.class);

    private final Duration confirmTimeout;
    private final BrokerConnection broker;
    private final ConfirmChannels channels;
    private final AfterConfirms after;
    private final FailedAttempts failed;
    private final BrokerVerdicts verdicts;
    private final @Nullable Trials trials;
    private final Set<PublishedBatch> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates an instance that publishes on the publisher's main connection. Messages that break this connection are
     * then published on the second one.
     */
    public PublishedBatches(PublishingOptions how, Publishing publishing, FailedAttempts failed) {
        this(how, publishing, publishing.channels(), new Trials(how, publishing, failed), failed);
    }

    private PublishedBatches(
            PublishingOptions how,
            Publishing publishing,
            ConfirmChannels channels,
            @Nullable Trials trials,
            FailedAttempts failed) {
        this.confirmTimeout = how.confirmTimeout();
        this.broker = channels.broker();
        this.channels = channels;
        this.after = publishing.after();
        this.failed = failed;
        this.verdicts = new BrokerVerdicts(how, publishing, broker, trials == null, failed);
        this.trials = trials;
    }

    /** Returns an instance that publishes one message at a time on the second connection. */
    static PublishedBatches onTrial(PublishingOptions how, Publishing publishing, FailedAttempts failed) {
        return new PublishedBatches(how, publishing, publishing.trial(), null, failed);
    }

    /** Returns the batches that await answers. */
    public Collection<PublishedBatch> running() {
        return running;
    }

    /**
     * Publishes a batch.
     *
     * @param apart whether all its messages are for one address that may not answer
     * @return the published batch; null if no message was published and all tasks are settled
     */
    public @Nullable PublishedBatch publish(List<Outgoing> batch, boolean apart) {
        return publish(batch, false, apart);
    }

    @Nullable
    PublishedBatch publish(List<Outgoing> messages, boolean again, boolean apart) {
        List<Outgoing> batch = new ArrayList<>(messages);
        ConfirmChannel channel = channelFor(batch, again);
        if (channel == null) {
            return null;
        }
        PublishedBatch published =
                new PublishedBatch(batch, channel, channel.track(batch), System.nanoTime(), again, apart);
        running.add(published);
        if (closed) {
            published.tracker().end(new CancellationException("the trigger is closed"));
        }
        try {
            published.tracker().sealed(publishAll(channel, published.tracker(), batch));
            return published;
        } catch (Throwable ex) {
            running.remove(published);
            channels.discard(channel);
            throw ex;
        }
    }

    /**
     * Ends the batch on another thread, after its confirms or the confirm time-out.
     *
     * @return {@code false} if there is no such thread; the batch then does not end
     */
    public boolean endsByItself(PublishedBatch published) {
        return after.follow(published.tracker().over(), confirmTimeout, () -> endLater(published));
    }

    /** Waits for the confirms of a batch, up to the confirm time-out, and ends the batch. */
    public void endHere(PublishedBatch published) {
        await(published);
        end(published);
    }

    void await(PublishedBatch published) {
        try {
            published.tracker().await(confirmTimeout);
        } catch (InterruptedException ex) {
            published.tracker().end(new CancellationException("interrupted"));
            Thread.currentThread().interrupt();
        }
    }

    private void endLater(PublishedBatch published) {
        try {
            end(published);
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("Failing deliveries that have no outcome", ex));
            published
                    .batch()
                    .forEach(outgoing -> outgoing.delivery()
                            .settle(Outcome.failed(
                                            "settling failed: " + ex.getClass().getName())
                                    .mayHaveArrived()));
        }
    }

    private void end(PublishedBatch published) {
        tell(answered(published));
    }

    /**
     * Returns the answers to a batch and stops waiting for more. Reads the answers before it closes the channel, so
     * that the close is not attributed to the broker.
     */
    Answered answered(PublishedBatch published) {
        running.remove(published);
        BatchAnswers answers = published.tracker().answers();
        if (published.tracker().leavesChannelReusable()) {
            channels.giveBack(published.channel());
        } else {
            channels.discard(published.channel());
        }
        boolean brokerAnswers = answers.isSilent()
                && !broker.wasBlockedSince(published.start())
                && channels.answersOn(published.channel());
        return new Answered(published, answers, brokerAnswers);
    }

    /** Settles the tasks of a batch. */
    void tell(Answered answered) {
        List<Outgoing> suspects = verdicts.apply(answered.published(), answered.answers(), answered.brokerAnswers());
        if (ChannelClosing.fatality(answered.answers().end()) != null) {
            deliverFatal(suspects, true);
        } else if (!suspects.isEmpty()) {
            publishAlone(suspects);
        }
    }

    /**
     * Publishes messages one at a time, because a message made the broker close the connection.
     *
     * @param again whether they are published again under the same lease
     */
    public void deliverFatal(List<Outgoing> messages, boolean again) {
        if (trials != null && !messages.isEmpty()) {
            trials.run(messages, again);
        }
    }

    /** Publishes each message alone, because a message made the broker close the channel. */
    private void publishAlone(List<Outgoing> suspects) {
        ConfirmChannel channel = channelFor(suspects, true);
        if (channel == null) {
            return;
        }
        channels.giveBack(channel);
        for (Outgoing suspect : suspects) {
            PublishedBatch published = publish(List.of(suspect), true, true);
            if (published != null) {
                endHere(published);
            }
        }
    }

    /** Returns a channel for a batch; null if all tasks of the batch are settled. */
    private @Nullable ConfirmChannel channelFor(List<Outgoing> batch, boolean again) {
        ConfirmChannel channel = null;
        try {
            while (!broker.isBlocked() && !batch.isEmpty()) {
                channel = channels.borrow();
                if (!dropRefused(channel, batch, again)) {
                    return channel;
                }
                channels.discard(channel);
                channel = null;
            }
        } catch (Throwable ex) {
            if (channel != null) {
                channels.discard(channel);
            }
            log.debug("{} task(s) not published", batch.size(), ex);
            channels.breakIfSilent(ex);
            broker.unusable(ex);
        }
        batch.forEach(outgoing -> verdicts.notPublished(outgoing.delivery(), again));
        return null;
    }

    /**
     * Fails the tasks for an exchange that the broker refuses, and removes them from the batch. The refusal closes the
     * channel.
     */
    private boolean dropRefused(ConfirmChannel channel, List<Outgoing> batch, boolean again) throws IOException {
        for (Outgoing candidate : batch) {
            String exchange = candidate.to().exchange();
            String objection = channel.objectionTo(exchange);
            if (objection != null) {
                batch.stream()
                        .filter(outgoing -> outgoing.to().exchange().equals(exchange))
                        .forEach(outgoing -> failed.fail(outgoing.delivery(), objection, again));
                batch.removeIf(outgoing -> outgoing.to().exchange().equals(exchange));
                return true;
            }
        }
        return false;
    }

    /**
     * Publishes a batch. Returns {@code false} if the channel must not be used again, regardless of the broker's
     * answers.
     */
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
            } catch (UnfitMessageException ex) {
                log.debug("{}: no message could be created", outgoing.delivery(), ex);
                outgoing.delivery().settle(Outcome.dead(String.valueOf(ex.getMessage())));
                return false;
            }
        }
        return true;
    }

    /** Stops waiting for answers, also to messages that are published from now on. */
    public void close() {
        closed = true;
        if (trials != null) {
            trials.close();
        }
        running.forEach(published -> published.tracker().end(new CancellationException("the trigger is closed")));
    }

    /**
     * The broker's answers to a batch.
     *
     * @param brokerAnswers whether the broker still answers on the connection, if no confirm came in time
     */
    record Answered(PublishedBatch published, BatchAnswers answers, boolean brokerAnswers) {}
}
