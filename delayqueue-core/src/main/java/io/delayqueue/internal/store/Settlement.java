// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import java.time.Duration;

/**
 * The end of one lease.
 *
 * @param token the fencing token of the lease
 * @param due the earliest time of the next attempt or round; only for {@link Verb#RETRY} and {@link Verb#AGAIN}
 * @param countsAsFailure whether to count a failed attempt
 * @param uncertain whether the delivery may still be in progress or may have happened
 * @param reason reason for RETRY and DEAD; at most 256 characters, checked by the caller
 * @param stackTrace stack trace of the failure without control characters other than tabs and line feeds; empty for
 *     none
 */
public record Settlement(
        String id,
        long token,
        Verb verb,
        Due due,
        boolean countsAsFailure,
        boolean uncertain,
        String reason,
        String stackTrace) {

    private static final Duration LONGEST_DELAY = Duration.ofMillis(Due.MAX_EPOCH_MILLIS);

    /** Ways to end a lease before it expires. */
    public enum Verb {
        /** Delivered: delete the task. */
        ACK,
        /** No attempt was made: the task keeps its due time. */
        RELEASE,
        /** The task is retried after the delay. */
        RETRY,
        /** The task was delivered and gets a new round, with a new task key and no attempts. */
        AGAIN,
        /** The task is dead and kept with its reason. */
        DEAD,
        /**
         * The task is dead because its payload is unreadable. It is kept until it is redriven or deleted, regardless of
         * limits.
         */
        QUARANTINE,
        /** The task is dead and deleted at once. */
        DISCARD
    }

    public Settlement(
            String id, long token, Verb verb, Due due, boolean countsAsFailure, boolean uncertain, String reason) {
        this(id, token, verb, due, countsAsFailure, uncertain, reason, "");
    }

    public static Settlement ack(String id, long token) {
        return new Settlement(id, token, Verb.ACK, Due.now(), false, false, "");
    }

    public static Settlement release(String id, long token) {
        return new Settlement(
                id, token, Verb.RELEASE, Due.now(), false, false, "the delivery was released before it started");
    }

    /**
     * @param delay time until the next attempt; capped at the range of due times, so that one handler's value cannot
     *     fail the settlement of other tasks in the same call
     */
    public static Settlement retry(
            String id, long token, Duration delay, boolean countsAsFailure, boolean uncertain, String reason) {
        Duration bounded = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
        return new Settlement(id, token, Verb.RETRY, Due.after(bounded), countsAsFailure, uncertain, reason);
    }

    /** @param due due time of the next round, which may be in the past */
    public static Settlement again(String id, long token, Due due) {
        return new Settlement(id, token, Verb.AGAIN, due, false, false, "");
    }

    public static Settlement dead(String id, long token, boolean uncertain, String reason) {
        return new Settlement(id, token, Verb.DEAD, Due.now(), true, uncertain, reason);
    }

    public static Settlement quarantined(String id, long token, boolean uncertain, String reason) {
        return new Settlement(id, token, Verb.QUARANTINE, Due.now(), true, uncertain, reason);
    }

    /** Returns this settlement with the stack trace of the failure, which is stored with the task. */
    public Settlement withStackTrace(String trace) {
        return new Settlement(id, token, verb, due, countsAsFailure, uncertain, reason, trace);
    }

    /** Returns this settlement, but with a dead task deleted instead of kept. */
    public Settlement discarding() {
        return verb == Verb.DEAD
                ? new Settlement(id, token, Verb.DISCARD, due, countsAsFailure, uncertain, reason)
                : this;
    }

    /** Shows the task and the outcome, never the reason or the stack trace. */
    @Override
    public String toString() {
        return "Settlement[id=" + id + ", verb=" + verb + "]";
    }

    public boolean isDeath() {
        return verb == Verb.DEAD || verb == Verb.QUARANTINE || verb == Verb.DISCARD;
    }
}
