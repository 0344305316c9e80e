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
 * Publishes suspect messages one at a time on a dedicated second connection. This shows which message makes the broker
 * close the connection. Only the attempt of that message counts as failed.
 *
 * <p>A new connection must first stay open for a while without any messages. If it does not, the broker itself has a
 * problem, and the message may be valid. If no such connection can be established, or a message gets no answer, the
 * remaining messages wait, and no attempts are counted. Thread-safe.
 */
final class Trials {

    private static final Logger log = LoggerFactory.getLogger(Trials.class);

    /**
     * How long a new connection must stay open. If the channels of a broker crash repeatedly, it closes the
     * connection sooner.
     */
    private static final Duration CALM = Duration.ofMillis(300);

    /** Remaining lease time that a message needs in addition to the confirm time-out. */
    private static final Duration MARGIN = CALM.multipliedBy(2);

    /** The interval for checking a message that waits for its turn. */
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
     * Publishes and settles these messages.
     *
     * @param again whether they are published again under the same lease
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

    /** Releases the connection. The last user closes it. */
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
     * Publishes a message alone. Settles it after the turn was released, because settling runs application code.
     *
     * @return whether the broker answered and the next message may be published
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

    /** Sends a message and returns the answers; null if it was not sent. */
    private PublishedBatches.@Nullable Answered sent(Outgoing message, boolean again) {
        PublishedBatch published = (isConnected() && isToBeSent(message)) // Connecting may take seconds.
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

    /** Postpones a message until a connection may be available, by a random delay. */
    private void postpone(Outgoing message, boolean again) {
        String reason = "the broker closed the connection because of this or another message, and this message "
                + "could not be tested alone";
        Outcome outcome = Outcome.postponed(reason);
        Duration pause = channels.broker().pause();
        if (!pause.isZero()) {
            double jitter = 1 + ThreadLocalRandom.current().nextDouble();
            outcome = outcome.retryAfter(Duration.ofNanos((long) (pause.toNanos() * jitter)));
        }
        message.delivery().settle(again ? outcome.mayHaveArrived() : outcome);
    }

    /** Waits for the turn, as long as the message may still be sent. Returns whether it has the turn. */
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

    /** Returns {@code false} if a stop has released the task, so that other processes may acquire it. */
    private boolean isToBeSent(Outgoing message) {
        OpenDelivery delivery = message.delivery();
        return !closed
                && !delivery.isEnded()
                && !delivery.isInterrupted()
                && !delivery.isLeaseLost()
                && delivery.leaseRemaining().compareTo(confirmTimeout.plus(MARGIN)) >= 0;
    }

    /** Connects if necessary. Returns whether the broker leaves an idle connection open. */
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
            log.debug("Could not use the second connection", ex);
        }
        return false;
    }

    /** Stops sending and waiting for answers. */
    void close() {
        closed = true;
        batches.close();
    }
}
