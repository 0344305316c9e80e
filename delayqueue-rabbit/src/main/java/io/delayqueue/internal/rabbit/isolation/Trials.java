// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.rabbit.confirm.BatchAnswers;
import io.delayqueue.internal.rabbit.confirm.ChannelClosing;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannel;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannels;
import io.delayqueue.internal.rabbit.confirm.ConfirmTracker;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages of which one made the broker close the connection: one at a time, on a second connection that
 * nothing else uses. There the broker shows over which message it closes the connection, and that one counts as a failed
 * attempt.
 *
 * <p>A new connection must first stay open for a while without any message. Otherwise the broker itself breaks down, and
 * the message may be as good as any other. If there is no such connection, or a message gets no answer, the rest waits,
 * uncounted. Thread-safe.
 */
final class Trials {

    private static final Logger log = LoggerFactory.getLogger(Trials.class);

    /** A broker whose channels break down one after the other closes a connection sooner. */
    private static final Duration CALM = Duration.ofMillis(300);

    /** What a message needs of its lease beside the confirm time-out. */
    private static final Duration MARGIN = CALM.multipliedBy(2);

    /** How often a message that waits for its turn is checked. */
    private static final Duration CHECK = Duration.ofMillis(100);

    private final Duration confirmTimeout;
    private final ConfirmChannels channels;
    private final ReentrantLock turn;
    private final FatalMessages fatal;
    private final PublishedBatches batches;
    private volatile boolean closed;
    private volatile @Nullable Object calmConnection;

    Trials(PublishingOptions how, Publishing publishing, FailedAttempts failed) {
        this.confirmTimeout = how.confirmTimeout();
        this.channels = publishing.trial();
        this.turn = publishing.turn();
        this.fatal = publishing.fatal();
        this.batches = PublishedBatches.onTrial(how, publishing, failed);
    }

    /**
     * Calls the outcomes of these messages.
     *
     * @param again whether they were published before, under the same lease
     */
    void run(List<Outgoing> messages, boolean again) {
        try {
            boolean goesOn = true;
            for (Outgoing message : messages) {
                goesOn = goesOn && tryOne(message, again);
                if (!goesOn) {
                    postpone(message, again);
                }
            }
        } finally {
            leave();
        }
    }

    /** The last one closes the connection. */
    private void leave() {
        if (turn.tryLock()) {
            try {
                if (!turn.hasQueuedThreads()) {
                    channels.disconnect();
                }
            } finally {
                turn.unlock();
            }
        }
    }

    /**
     * Publishes a message alone. Calls its outcome after the turn has ended, because that runs code of the application.
     *
     * @return whether the next one may follow: the broker answered
     */
    private boolean tryOne(Outgoing message, boolean again) {
        if (!begin(message)) {
            return false;
        }
        PublishedBatches.Answered answered;
        try {
            answered = sent(message, again);
        } finally {
            turn.unlock();
        }
        if (answered == null) {
            return false;
        }
        batches.tell(answered);
        return remember(message, answered.answers());
    }

    /** Returns null if it was not sent. */
    private PublishedBatches.@Nullable Answered sent(Outgoing message, boolean again) {
        PublishedBatch published = (isConnected() && isToBeSent(message)) // to connect may take seconds
                ? batches.publish(List.of(message), again, true)
                : null;
        if (published == null) {
            return null;
        }
        batches.await(published);
        PublishedBatches.Answered answered = batches.answered(published);
        if (!published.tracker().leavesChannelReusable()) {
            channels.disconnect();
        }
        return answered;
    }

    private boolean remember(Outgoing message, BatchAnswers answers) {
        Throwable end = answers.end();
        boolean isFatal = ChannelClosing.fatality(end) != null;
        boolean isDead = message.delivery().isDead();
        boolean answered = isFatal
                || isDead
                || answers.isAnswered(0)
                || (end != null && ChannelClosing.objection(end, message.to().exchange()) != null);
        if (isFatal && !isDead) {
            fatal.remember(message);
        } else if (answered) {
            fatal.forget(message);
        }
        return answered;
    }

    /** Postpones a message until there may be a connection again, and not all of them to the same moment. */
    private void postpone(Outgoing message, boolean again) {
        String reason = "the broker closed the connection over this or another message, and this could not be tried";
        Outcome outcome = Outcome.postponed(reason);
        Duration pause = channels.broker().pause();
        if (!pause.isZero()) {
            double jitter = 1 + ThreadLocalRandom.current().nextDouble();
            outcome = outcome.retryAfter(Duration.ofNanos((long) (pause.toNanos() * jitter)));
        }
        message.delivery().settle(again ? outcome.mayHaveArrived() : outcome);
    }

    /** Waits for the turn, as long as the message is to be sent. */
    private boolean begin(Outgoing message) {
        try {
            while (isToBeSent(message)) {
                if (turn.tryLock(CHECK.toNanos(), TimeUnit.NANOSECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** A stop may have given the task back, which then belongs to other processes. */
    private boolean isToBeSent(Outgoing message) {
        OpenDelivery delivery = message.delivery();
        return !closed
                && !delivery.isEnded()
                && !delivery.isInterrupted()
                && !delivery.isLeaseLost()
                && delivery.leaseRemaining().compareTo(confirmTimeout.plus(MARGIN)) >= 0;
    }

    /** Connects if need be. Returns whether the broker leaves the connection open over which nothing is sent. */
    private boolean isConnected() {
        if (!channels.broker().unavailableOnceConnected().isZero()) {
            return false;
        }
        try {
            Object connection = channels.broker().open();
            if (connection == calmConnection) {
                return true;
            }
            ConfirmChannel channel = channels.borrow();
            ConfirmTracker nothing = channel.track(List.of());
            nothing.await(CALM);
            if (nothing.end() == null) {
                calmConnection = connection;
                channels.giveBack(channel);
                return true;
            }
            channels.discard(channel);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException ex) {
            log.debug("The second connection cannot be used", ex);
        }
        return false;
    }

    /** Sends nothing from now on and awaits no more answers. */
    void close() {
        closed = true;
        batches.close();
    }
}
