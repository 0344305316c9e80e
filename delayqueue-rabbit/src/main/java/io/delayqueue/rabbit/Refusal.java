// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * When messages may go to one address that nacks them, and how many at once. After a nack nothing goes there for a
 * pause, then one message, then twice as many with each round that the broker takes. A round of which the broker takes
 * a part makes the next one as large as that part. All moments are in {@link System#nanoTime()}. Not safe for use by
 * many threads.
 */
final class Refusal {

    /** The shortest pause; it doubles with each round of which the broker takes nothing. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** A round of so many that the broker took ends the refusal. */
    static final int ENOUGH = 256;

    /** Tasks that are put off come again one after another, at this distance. */
    private static final long DISTANCE = Duration.ofMillis(1).toNanos();

    private static final long LONGEST_LINE = Duration.ofMinutes(1).toNanos();

    private final BackOff backOff;
    private BackOffExecution pauses;
    private long until;
    private long lineEnd;
    private boolean underWay;
    private boolean wholeRound;
    private int window = 1;

    /** @param longestPause to which the pauses grow */
    Refusal(long now, Duration longestPause) {
        this.backOff = DoublingBackOff.between(FIRST_PAUSE, longestPause);
        this.pauses = backOff.start();
        this.until = now;
        this.lineEnd = now;
    }

    /**
     * Begins a round, unless there is a pause or another round is under way.
     *
     * @param wanted how many messages there are, at least one
     * @param limit after which the round counts as ended, if nothing is said of it
     * @return how many of them may go
     */
    int admit(long now, int wanted, Duration limit) {
        if (now - until < 0) {
            return 0;
        }
        underWay = true;
        until = now + limit.toNanos();
        wholeRound = wanted <= window;
        return Math.min(wanted, window);
    }

    /** Whether something may yet be said of a round. */
    boolean isUnderWay(long now) {
        return underWay && now - until < 0;
    }

    /** No round begins for the shortest pause. */
    void putOff(long now) {
        underWay = false;
        until = now + FIRST_PAUSE.toNanos();
    }

    /**
     * The broker has answered a round, or messages that went before the first nack. Without any answer the round ends
     * all the same.
     *
     * @return whether the refusal is over
     */
    boolean answered(long now, int acks, int nacks) {
        if (nacks > 0) {
            refused(now, acks);
            return false;
        }
        if (!underWay) {
            return false;
        }
        underWay = false;
        until = now;
        if (acks == 0) {
            return false;
        }
        window *= 2;
        boolean nobodyWaits = wholeRound && now - lineEnd >= 0;
        return nobodyWaits || window >= ENOUGH;
    }

    private void refused(long now, int acks) {
        if (!underWay && now - until < 0) {
            return; // it went at the same time as those with which the pause began
        }
        if (acks > 0) {
            pauses = backOff.start();
        }
        window = Math.max(1, acks);
        underWay = false;
        until = now + TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
    }

    /**
     * When a task for the address is due again that did not go, or was nacked. Each is given a time of its own, so that
     * many of them do not come back at once, over and over, while they cannot go.
     */
    Duration hold(long now) {
        long open = underWay ? now + FIRST_PAUSE.toNanos() : now + Math.max(0, until - now);
        long next = (lineEnd - open > 0 ? lineEnd : open) + DISTANCE;
        lineEnd = (next - open > LONGEST_LINE) ? open + LONGEST_LINE : next;
        return Duration.ofNanos(lineEnd - now);
    }

    /** Zero if a round may begin, else when to ask again. */
    Duration closedFor(long now) {
        long left = Math.max(0, until - now);
        return Duration.ofNanos(underWay ? Math.min(left, FIRST_PAUSE.toNanos()) : left);
    }
}
