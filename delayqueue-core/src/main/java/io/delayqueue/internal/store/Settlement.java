// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * How one lease ends.
 *
 * @param id the task
 * @param token the fencing token it was acquired under
 * @param verb what to do
 * @param delay until the next attempt, which is never earlier; only for {@link Verb#RETRY} and {@link Verb#AGAIN}. One
 *     that has passed is none, and none is longer than ten thousand years: what one handler asks for must not stop the
 *     settlements that go with it
 * @param countsAsFailure whether one more failed attempt is counted
 * @param uncertain whether the delivery may still be under way or have happened
 * @param reason why, for RETRY and DEAD; at most 256 characters, checked by the caller
 */
public record Settlement(
        String id, long token, Verb verb, Duration delay, boolean countsAsFailure, boolean uncertain, String reason) {

    private static final Duration LONGEST_DELAY = Duration.ofDays(3_652_500);

    public Settlement {
        if (delay.isNegative()) {
            delay = Duration.ZERO;
        } else if (delay.compareTo(LONGEST_DELAY) > 0) {
            delay = LONGEST_DELAY;
        }
    }

    /** The ways a lease can end, other than by time or release. */
    public enum Verb {
        /** Delivered: delete the task. */
        ACK,
        /** Due again after the delay. */
        RETRY,
        /**
         * Delivered, and due again after the delay as a new round: with a task key of its own, and nothing is left of
         * the attempts.
         */
        AGAIN,
        /** Dead: kept with its reason, and not delivered unless somebody redrives it. */
        DEAD,
        /** Dead, and deleted at once. */
        DISCARD
    }

    public static Settlement ack(String id, long token) {
        return new Settlement(id, token, Verb.ACK, Duration.ZERO, false, false, "");
    }

    public static Settlement retry(
            String id, long token, Duration delay, boolean countsAsFailure, boolean uncertain, String reason) {
        return new Settlement(id, token, Verb.RETRY, delay, countsAsFailure, uncertain, reason);
    }

    /** @param delay until the next round, which is never earlier */
    public static Settlement again(String id, long token, Duration delay) {
        return new Settlement(id, token, Verb.AGAIN, delay, false, false, "");
    }

    public static Settlement dead(String id, long token, boolean uncertain, String reason) {
        return new Settlement(id, token, Verb.DEAD, Duration.ZERO, true, uncertain, reason);
    }

    /** The same end, but a task that would be dead is deleted. */
    public Settlement discarding() {
        return verb == Verb.DEAD
                ? new Settlement(id, token, Verb.DISCARD, delay, countsAsFailure, uncertain, reason)
                : this;
    }

    /** Whether the task is given up. */
    public boolean isDeath() {
        return verb == Verb.DEAD || verb == Verb.DISCARD;
    }
}
