// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages of which one made the broker close the whole connection, one at a time on a connection that nothing
 * else goes over. What the broker takes there has arrived. One over which it closes that connection too counts as a
 * failed attempt, if the broker then takes another connection: it is not the broker that is ending. Safe for use by many
 * threads.
 */
final class Trials {

    private static final Logger log = LoggerFactory.getLogger(Trials.class);

    private final Duration confirmTimeout;
    private final BrokerConnection broker;
    private final TrialConnection connection;
    private final FatalMessages fatal;
    private final BrokerVerdicts verdicts;
    private final FailedAttempts failed;
    private final Set<ConfirmTracker> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Trials(PublishingOptions how, PublisherConnection connection, BrokerVerdicts verdicts, FailedAttempts failed) {
        this.confirmTimeout = how.confirmTimeout();
        this.broker = connection.broker();
        this.connection = connection.trial();
        this.fatal = connection.fatal();
        this.verdicts = verdicts;
        this.failed = failed;
    }

    /**
     * Calls the outcomes of these messages.
     *
     * @param again whether they were published before, under the same lease
     */
    void run(List<Outgoing> messages, boolean again) {
        connection.enter();
        try {
            messages.forEach(message -> run(message, again));
        } finally {
            connection.leave();
        }
    }

    /** Outcomes are called when others may go on: they run code of the application. */
    private void run(Outgoing message, boolean again) {
        Delivery delivery = message.delivery();
        Sent sent;
        try {
            sent = sent(message);
        } catch (UnfitMessageException ex) {
            log.debug("{} has no message", delivery, ex);
            delivery.reject(ex.reason(), again);
            return;
        }
        if (sent == null) {
            delivery.postpone("the broker closed the connection over this or another message, and took no more", again);
            return;
        }
        List<Outgoing> guilty = verdicts.apply(List.of(message), sent.answers(), sent.channel(), sent.start(), again);
        if (guilty.isEmpty()) {
            fatal.forget(message);
            return;
        }
        fatal.remember(message);
        String reason = "the broker closed the connection over it: "
                + ChannelClosing.fatality(sent.answers().end());
        if (sent.brokerGoesOn()) {
            failed.fail(message, reason, again);
        } else {
            delivery.postpone(reason, true);
        }
    }

    /** Returns null if it was not sent. */
    private @Nullable Sent sent(Outgoing message) {
        Duration patience = message.delivery().leaseRemaining().minus(confirmTimeout);
        try {
            if (closed || patience.isNegative() || !connection.begin(patience)) {
                return null;
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return null;
        }
        try {
            boolean leaseTooShort = message.delivery().leaseRemaining().compareTo(confirmTimeout) < 0;
            return (leaseTooShort || broker.isBlocked()) ? null : send(message, connection.channel());
        } catch (UnfitMessageException ex) {
            throw ex;
        } catch (Throwable ex) {
            log.debug("{} not published", message, ex);
            return null;
        } finally {
            connection.end();
        }
    }

    private Sent send(Outgoing message, ConfirmChannel channel) {
        long start = System.nanoTime();
        ConfirmTracker tracker = channel.track(List.of(message));
        running.add(tracker);
        try {
            if (closed) {
                tracker.end(new CancellationException("the trigger is closed"));
            }
            tracker.sealed(channel.publish(tracker, 0, message, confirmTimeout));
            tracker.await(confirmTimeout);
        } catch (InterruptedException ex) {
            tracker.end(new CancellationException("interrupted"));
            Thread.currentThread().interrupt();
        } finally {
            running.remove(tracker);
            if (!tracker.leavesChannelReusable()) {
                connection.drop();
            }
        }
        BatchAnswers answers = tracker.answers();
        return new Sent(answers, channel, start, ChannelClosing.fatality(answers.end()) != null && goesOn());
    }

    private boolean goesOn() {
        try {
            connection.channel();
            return true;
        } catch (Throwable ex) {
            log.debug("The broker takes no connection", ex);
            return false;
        }
    }

    /** No more answers are awaited. */
    void close() {
        closed = true;
        running.forEach(tracker -> tracker.end(new CancellationException("the trigger is closed")));
    }

    /**
     * What came of one message.
     *
     * @param start when its publishing began, in {@link System#nanoTime()}
     * @param brokerGoesOn whether the broker took another connection, if it closed this one
     */
    private record Sent(BatchAnswers answers, ConfirmChannel channel, long start, boolean brokerGoesOn) {}
}
