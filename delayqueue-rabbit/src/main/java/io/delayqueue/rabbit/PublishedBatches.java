// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.internal.concurrent.Guard;
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
 * Publishes batches, each on a channel of its own, and ends them: what was published gets its outcome from {@link
 * BrokerVerdicts}; what was not is released. Safe for use by many threads.
 */
final class PublishedBatches {

    private static final Logger log = LoggerFactory.getLogger(PublishedBatches.class);

    private final Duration confirmTimeout;
    private final BrokerConnection broker;
    private final ConfirmChannels channels;
    private final AfterConfirms after;
    private final FailedAttempts failed;
    private final BrokerVerdicts verdicts;
    private final Trials trials;
    private final Set<PublishedBatch> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    PublishedBatches(PublishingOptions how, PublisherConnection connection, FailedAttempts failed) {
        this.confirmTimeout = how.confirmTimeout();
        this.broker = connection.broker();
        this.channels = connection.channels();
        this.after = connection.after();
        this.failed = failed;
        this.verdicts = new BrokerVerdicts(how, connection, failed);
        this.trials = new Trials(how, connection, verdicts, failed);
    }

    /** Those for which answers are awaited. */
    Collection<PublishedBatch> running() {
        return running;
    }

    /**
     * Publishes a batch.
     *
     * @param apart whether it goes to one address, from which nothing may come
     * @return null if none of it was published, and every task has its outcome
     */
    @Nullable
    PublishedBatch publish(List<Outgoing> batch, boolean apart) {
        return publish(batch, false, apart);
    }

    private @Nullable PublishedBatch publish(List<Outgoing> batch, boolean again, boolean apart) {
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
     * Has the batch end when its confirms are there, or their time is over. Returns false where that cannot be
     * arranged.
     */
    boolean endsByItself(PublishedBatch published) {
        return after.follow(published.tracker().over(), confirmTimeout, () -> endLater(published));
    }

    /** Waits until its confirms are there, or their time is over, and ends it. */
    void endHere(PublishedBatch published) {
        try {
            published.tracker().await(confirmTimeout);
        } catch (InterruptedException ex) {
            published.tracker().end(new CancellationException("interrupted"));
            Thread.currentThread().interrupt();
        }
        end(published);
    }

    private void endLater(PublishedBatch published) {
        try {
            end(published);
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("The deliveries without outcome have failed", ex));
            published
                    .batch()
                    .forEach(outgoing -> outgoing.delivery()
                            .fail(
                                    "the outcome could not be told: "
                                            + ex.getClass().getName(),
                                    true));
        }
    }

    /**
     * Calls the outcomes of a batch for which no more answers are awaited. The answers are read before the channel is
     * thrown away: the end that this makes of the channel is none that the broker made.
     */
    private void end(PublishedBatch published) {
        running.remove(published);
        BatchAnswers answers = published.tracker().answers();
        if (published.tracker().leavesChannelReusable()) {
            channels.giveBack(published.channel());
        } else {
            channels.discard(published.channel());
        }
        List<Outgoing> suspects = verdicts.apply(
                published.batch(),
                answers,
                () -> channels.answersOn(published.channel()),
                published.start(),
                published.again());
        if (ChannelClosing.fatality(answers.end()) != null) {
            deliverFatal(suspects, true);
        } else if (!suspects.isEmpty()) {
            publishAlone(suspects);
        }
    }

    /**
     * Delivers messages of which one made the broker close the connection.
     *
     * @param again whether they were published before, under the same lease
     */
    void deliverFatal(List<Outgoing> messages, boolean again) {
        if (!messages.isEmpty()) {
            trials.run(messages, again);
        }
    }

    /** One of them made the broker close the channel; alone each shows whether it was the one. */
    private void publishAlone(List<Outgoing> suspects) {
        ConfirmChannel channel = channelFor(suspects, true);
        if (channel == null) {
            return;
        }
        channels.giveBack(channel);
        for (Outgoing suspect : suspects) {
            PublishedBatch published = publish(new ArrayList<>(List.of(suspect)), true, true);
            if (published != null) {
                endHere(published);
            }
        }
    }

    /** Returns null when there is nothing to publish on it: then every task of the batch has its outcome. */
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
     * Fails the tasks for an exchange that the broker refuses, and removes them from the batch. The channel is then
     * closed.
     */
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
            } catch (UnfitMessageException ex) {
                log.debug("{} has no message", outgoing.delivery(), ex);
                outgoing.delivery().reject(ex.reason());
                return false;
            }
        }
        return true;
    }

    /** No more answers are awaited, also for what is published from now on. */
    void close() {
        closed = true;
        trials.close();
        running.forEach(published -> published.tracker().end(new CancellationException("the trigger is closed")));
    }
}
