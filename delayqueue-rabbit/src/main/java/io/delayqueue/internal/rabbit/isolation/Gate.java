// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A circuit breaker for an address that does not accept messages. Limits when and how many messages are sent to the
 * address.
 * <ul>
 * <li>closed: no messages are sent. A nack closes the gate for a pause, which doubles while the broker accepts no
 * messages.
 * <li>probing: a round of messages is in progress. The window is the size of a round. It is one after a nack and
 * doubles with each accepted round; if a round has nacks, it shrinks to the number of accepted messages.
 * <li>open: the address needs no gate.
 * </ul>
 *
 * <p>No pause follows a round without an answer, because the round has already lasted for the confirm time-out. The
 * window then does not shrink. All moments are in {@link System#nanoTime()}. Not thread-safe.
 */
final class Gate {

    /** The shortest pause after a nack. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** The window size of an address that counts as working. */
    static final int ENOUGH = 256;

    /** The interval between the due times of waiting tasks. */
    private static final long DISTANCE = Duration.ofMillis(1).toNanos();

    private static final long LONGEST_LINE = Duration.ofMinutes(1).toNanos();

    final Instant since = Instant.now();

    /** When a message for the address was last sent or answered. */
    long used;

    /** When to log the next warning that the address accepts no messages. */
    long nextWarning;

    boolean warned;
    private final BackOff backOff;
    private BackOffExecution pauses;
    private long until;
    private long lineEnd;
    private boolean probing;
    private boolean wholeRound;
    private boolean silent;
    private int window = 1;
    private long nacks;

    /** @param longestPause longest pause after a nack */
    Gate(long now, Duration longestPause) {
        this.backOff = DoublingBackOff.between(FIRST_PAUSE, longestPause);
        this.pauses = backOff.start();
        this.until = now;
        this.lineEnd = now;
        this.used = now;
        this.nextWarning = now;
    }

    /**
     * Starts a round, unless the gate is closed or another round is in progress.
     *
     * @param wanted number of messages, at least one
     * @param limit maximum time to wait for an answer
     * @return the number of messages to send
     */
    int admit(long now, int wanted, Duration limit) {
        if (now - until < 0) {
            return 0;
        }
        probing = true;
        until = now + limit.toNanos();
        wholeRound = wanted <= window;
        return Math.min(wanted, window);
    }

    boolean isProbing(long now) {
        return probing && now - until < 0;
    }

    /** Prevents rounds for the duration of the shortest pause. */
    void putOff(long now) {
        close(now, FIRST_PAUSE.toNanos());
    }

    /**
     * Ends a round with the broker's answers, if any. These may include answers to messages that were sent before the
     * first nack.
     *
     * @return whether the gate is open
     */
    boolean answered(long now, int acks, int nacked) {
        nacks += nacked;
        if (nacked > 0) {
            refused(now, acks);
            return false;
        }
        if (silent && acks > 0) {
            return true;
        }
        if (!probing) {
            return false;
        }
        close(now, 0);
        if (acks == 0) {
            return false;
        }
        window *= 2;
        boolean nothingWaits = wholeRound && now - lineEnd >= 0;
        return nothingWaits || window >= ENOUGH;
    }

    private void refused(long now, int acks) {
        if (!probing && !silent && now - until < 0) {
            return; // These messages were sent together with those that closed the gate.
        }
        if (acks > 0) {
            pauses = backOff.start();
        }
        silent = false;
        window = Math.max(1, acks);
        close(now, TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff()));
    }

    /** Ends a round that got no answer although the broker answers other messages. */
    void silent(long now) {
        silent = true;
        window = ENOUGH;
        close(now, 0);
    }

    private void close(long now, long pause) {
        probing = false;
        until = now + pause;
    }

    /**
     * Returns the delay for a task that may not be sent now or was nacked. Spreads the tasks over time, so that they
     * are not all acquired while they cannot be sent.
     */
    Duration hold(long now) {
        long left = Math.max(0, until - now);
        long open = now + (probing && !silent ? FIRST_PAUSE.toNanos() : left);
        long next = (lineEnd - open > 0 ? lineEnd : open) + DISTANCE;
        lineEnd = (next - open > LONGEST_LINE) ? open + LONGEST_LINE : next;
        return Duration.ofNanos(lineEnd - now);
    }

    /** Returns zero if a round may start, otherwise when to check again. */
    Duration closedFor(long now) {
        long left = Math.max(0, until - now);
        return Duration.ofNanos(probing ? Math.min(left, FIRST_PAUSE.toNanos()) : left);
    }

    boolean isSilent() {
        return silent;
    }

    long nacks() {
        return nacks;
    }
}
