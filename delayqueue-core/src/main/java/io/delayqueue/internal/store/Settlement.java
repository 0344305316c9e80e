// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import java.time.Duration;

/**
 * How one lease ends.
 *
 * @param id the task
 * @param token the fencing token it was acquired under
 * @param verb what to do
 * @param due when the next attempt or round is due, which is never earlier; only for {@link Verb#RETRY} and {@link
 *     Verb#AGAIN}
 * @param countsAsFailure whether one more failed attempt is counted
 * @param uncertain whether the delivery may still be under way or have happened
 * @param reason why, for RETRY and DEAD; at most 256 characters, checked by the caller
 */
public record Settlement(
        String id, long token, Verb verb, Due due, boolean countsAsFailure, boolean uncertain, String reason) {

    private static final Duration LONGEST_DELAY = Duration.ofMillis(Due.MAX_EPOCH_MILLIS);

    /** The ways a lease can end, other than by time or release. */
    public enum Verb {
        /** Delivered: delete the task. */
        ACK,
        /** Due again after the delay. */
        RETRY,
        /**
         * Delivered, and due again as a new round: with a task key of its own, and nothing is left of
         * the attempts.
         */
        AGAIN,
        /** Dead: kept with its reason, and not delivered unless somebody redrives it. */
        DEAD,
        /** Dead, as its payload cannot be read: kept as long as nobody redrives or deletes it, whatever the bounds are. */
        QUARANTINE,
        /** Dead, and deleted at once. */
        DISCARD
    }

    public static Settlement ack(String id, long token) {
        return new Settlement(id, token, Verb.ACK, Due.now(), false, false, "");
    }

    /**
     * @param delay until the next attempt. One that no due time can follow is shortened: what one handler asks for must not
     *     stop the settlements that go with it
     */
    public static Settlement retry(
            String id, long token, Duration delay, boolean countsAsFailure, boolean uncertain, String reason) {
        Duration bounded = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
        return new Settlement(id, token, Verb.RETRY, Due.after(bounded), countsAsFailure, uncertain, reason);
    }

    /** @param due when the next round is due; a moment in the past stays what it is */
    public static Settlement again(String id, long token, Due due) {
        return new Settlement(id, token, Verb.AGAIN, due, false, false, "");
    }

    public static Settlement dead(String id, long token, boolean uncertain, String reason) {
        return new Settlement(id, token, Verb.DEAD, Due.now(), true, uncertain, reason);
    }

    public static Settlement quarantined(String id, long token, boolean uncertain, String reason) {
        return new Settlement(id, token, Verb.QUARANTINE, Due.now(), true, uncertain, reason);
    }

    /** The same end, but a task that would be dead is deleted. */
    public Settlement discarding() {
        return verb == Verb.DEAD
                ? new Settlement(id, token, Verb.DISCARD, due, countsAsFailure, uncertain, reason)
                : this;
    }

    /** Whether the task is given up. */
    public boolean isDeath() {
        return verb == Verb.DEAD || verb == Verb.QUARANTINE || verb == Verb.DISCARD;
    }
}
