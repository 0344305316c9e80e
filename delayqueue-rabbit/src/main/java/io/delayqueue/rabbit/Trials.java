// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.rabbit.BatchAnswers.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages of which one made the broker close the whole connection, one at a time on a connection that nothing
 * else goes over. What the broker answers there counts as anywhere. Where there is no connection to be had, or no
 * answer comes, the rest waits for another time, uncounted.
 *
 * <p>One over which the broker closes that connection counts as a failed attempt if the broker then leaves a connection
 * open over which nothing is sent, and closes it over the message once more. Otherwise it is the broker that breaks
 * down, and the message may be as good as any other. Safe for use by many threads.
 */
final class Trials {

    private static final Logger log = LoggerFactory.getLogger(Trials.class);
    /** A broker whose channels break down one after the other closes a connection sooner. */
    private static final Duration CALM = Duration.ofMillis(300);
    /** What a message needs of its lease beside the time for its confirm. */
    private static final Duration MARGIN = CALM.multipliedBy(2);
    /** How often one that waits for its turn looks whether it still has to. */
    private static final Duration LOOK = Duration.ofMillis(100);

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
            List<Guilty> once = tryEach(messages, again);
            if (!once.isEmpty()) {
                tryOnceMore(once);
            }
        } finally {
            connection.leave();
        }
    }

    /** Returns those over which the broker closed the connection; the others have their outcome. */
    private List<Guilty> tryEach(List<Outgoing> messages, boolean again) {
        List<Guilty> guilty = new ArrayList<>();
        boolean goesOn = true;
        for (Outgoing message : messages) {
            if (goesOn) {
                goesOn = tryOne(message, again, guilty);
            } else {
                postpone(message, again);
            }
        }
        return guilty;
    }

    /**
     * Outcomes are called when others may go on: they run code of the application.
     *
     * @return whether the next one may follow: the broker said something
     */
    private boolean tryOne(Outgoing message, boolean again, List<Guilty> guilty) {
        Trial trial;
        try {
            trial = trial(message);
        } catch (UnfitMessageException ex) {
            log.debug("{} has no message", message, ex);
            message.delivery().reject(ex.reason(), again);
            fatal.forget(message);
            return true;
        }
        if (trial == null) {
            postpone(message, again);
            return false;
        }
        BatchAnswers answers = trial.answers();
        boolean isFatal = !verdicts.apply(List.of(message), answers, trial::brokerAnswers, trial.start(), again)
                .isEmpty();
        if (isFatal) {
            fatal.remember(message);
            guilty.add(new Guilty(
                    message, "the broker closed the connection over it: " + ChannelClosing.fatality(answers.end())));
            return true;
        }
        Throwable end = answers.end();
        boolean answered = answers.answer(0) != Answer.NONE
                || (end != null && ChannelClosing.objection(end, message.exchange()) != null);
        if (answered || message.delivery().isDead()) {
            fatal.forget(message);
        }
        return answered;
    }

    /** Not before there may be a connection again, and not all at the same time. */
    private void postpone(Outgoing message, boolean again) {
        String reason = "the broker closed the connection over this or another message, and this could not be tried";
        Duration pause = connection.unavailableFor();
        if (pause.isZero()) {
            message.delivery().postpone(reason, again);
        } else {
            double jitter = 1 + ThreadLocalRandom.current().nextDouble();
            message.delivery().postpone(reason, Duration.ofNanos((long) (pause.toNanos() * jitter)), again);
        }
    }

    /** The broker may have routed them before it closed the connection. */
    private void tryOnceMore(List<Guilty> once) {
        if (!isCalm(once.get(0).message())) {
            once.forEach(each -> each.message().delivery().postpone(each.reason() + ", as over others", true));
            return;
        }
        for (Guilty each : tryEach(once.stream().map(Guilty::message).toList(), true)) {
            failed.fail(each.message(), each.reason(), true);
            if (each.message().delivery().isDead()) {
                fatal.forget(each.message());
            }
        }
    }

    /** Returns null if it was not sent. */
    private @Nullable Trial trial(Outgoing message) {
        if (!begin(message)) {
            return null;
        }
        try {
            ConfirmChannel channel = connection.channel(); // it may have to connect, for seconds
            return (channel == null || !isToBeSent(message) || broker.isBlocked()) ? null : sent(message, channel);
        } finally {
            connection.end();
        }
    }

    private boolean begin(Outgoing message) {
        try {
            while (isToBeSent(message)) {
                if (connection.begin(LOOK)) {
                    return true;
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** A stop may have given it back, and then it belongs to others. */
    private boolean isToBeSent(Outgoing message) {
        Delivery delivery = message.delivery();
        return !closed
                && !delivery.isEnded()
                && !delivery.isInterrupted()
                && !delivery.isLeaseLost()
                && delivery.leaseRemaining().compareTo(confirmTimeout.plus(MARGIN)) >= 0;
    }

    /** The answers are read before the connection is thrown away: that end is none that the broker made. */
    private @Nullable Trial sent(Outgoing message, ConfirmChannel channel) {
        long start = System.nanoTime();
        ConfirmTracker tracker = channel.track(List.of(message));
        try {
            publish(tracker, message, channel);
            BatchAnswers answers = tracker.answers();
            if (answers.answer(0) == Answer.NOT_PUBLISHED) {
                return null;
            }
            boolean isSilent = answers.answer(0) == Answer.NONE && answers.end() == null;
            return new Trial(answers, start, isSilent && connection.answers());
        } finally {
            if (!tracker.leavesChannelReusable()) {
                connection.discard();
            }
        }
    }

    private void publish(ConfirmTracker tracker, Outgoing message, ConfirmChannel channel) {
        try {
            running.add(tracker);
            endIfClosed(tracker);
            if (tracker.end() == null) {
                tracker.sealed(channel.publish(tracker, 0, message, confirmTimeout));
                tracker.await(confirmTimeout);
            }
        } catch (UnfitMessageException ex) {
            throw ex;
        } catch (InterruptedException ex) {
            tracker.end(new CancellationException("interrupted"));
            Thread.currentThread().interrupt();
        } catch (Throwable ex) {
            // It may have been written.
            log.debug("{} has no answer", message, ex);
            tracker.end(ex);
        } finally {
            running.remove(tracker);
        }
    }

    /** Whether the broker leaves a connection open over which nothing is sent. */
    private boolean isCalm(Outgoing message) {
        if (!begin(message)) {
            return false;
        }
        try {
            ConfirmChannel channel = connection.channel();
            return channel != null && staysOpen(channel.track(List.of()));
        } finally {
            connection.end();
        }
    }

    private boolean staysOpen(ConfirmTracker nothing) {
        running.add(nothing);
        try {
            endIfClosed(nothing);
            nothing.await(CALM);
            return nothing.end() == null;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            running.remove(nothing);
        }
    }

    private void endIfClosed(ConfirmTracker tracker) {
        if (closed) {
            tracker.end(new CancellationException("the trigger is closed"));
        }
    }

    /** Nothing is sent from now on, and no more answers are awaited. */
    void close() {
        closed = true;
        running.forEach(this::endIfClosed);
    }

    /**
     * What came of one message.
     *
     * @param start when its publishing began, in {@link System#nanoTime()}
     * @param brokerAnswers whether the broker answers something else on the connection, if not this
     */
    private record Trial(BatchAnswers answers, long start, boolean brokerAnswers) {}

    /** @param reason why it may count, with what the broker said when it closed the connection */
    private record Guilty(Outgoing message, String reason) {}
}
