// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The outcome of a delivery, for {@link OpenDelivery#settle}.
 * <pre>{@code
 * delivery.settle(Outcome.failed("no answer within 5 s").retryAfter(Duration.ofMinutes(1)).mayHaveArrived());
 * }</pre>
 */
public final class Outcome {

    private static final Outcome DELIVERED = of(Kind.DELIVERED, "");
    private static final Outcome RELEASED = of(Kind.RELEASED, "");

    private final Kind kind;
    private final String reason;
    private final Optional<Duration> retryAfter;
    private final boolean isUncertain;
    private final boolean isQuarantined;
    private final boolean closesKey;
    private final Optional<Throwable> cause;

    /** @throws IllegalStateException if an outcome of this kind has no such property */
    private Outcome(
            Kind kind,
            String reason,
            Optional<Duration> retryAfter,
            boolean isUncertain,
            boolean isQuarantined,
            boolean closesKey,
            Optional<Throwable> cause) {
        if ((retryAfter.isPresent() || closesKey) && kind != Kind.FAILED && kind != Kind.POSTPONED) {
            throw new IllegalStateException("There is no attempt after the outcome " + kind
                    + ". Set a delay or close a key only for failed or postponed");
        }
        if ((isUncertain || cause.isPresent()) && (kind == Kind.DELIVERED || kind == Kind.RELEASED)) {
            throw new IllegalStateException("The outcome " + kind + " is certain and has no cause. Use "
                    + "mayHaveArrived and causedBy for failed, postponed or dead only");
        }
        this.kind = kind;
        this.reason = Objects.requireNonNull(reason, "reason");
        this.retryAfter = retryAfter;
        this.isUncertain = isUncertain;
        this.isQuarantined = isQuarantined;
        this.closesKey = closesKey;
        this.cause = cause;
    }

    private static Outcome of(Kind kind, String reason) {
        return new Outcome(kind, reason, Optional.empty(), false, false, false, Optional.empty());
    }

    /**
     * Returns the outcome of a task that its destination has received. The task is deleted, or is due for its next
     * round.
     */
    public static Outcome delivered() {
        return DELIVERED;
    }

    /**
     * Returns the outcome of a failed attempt. The task is retried after the back-off of its queue's retry policy, or
     * becomes dead if no attempts remain.
     *
     * @param reason what went wrong, without payload; stored with the task
     */
    public static Outcome failed(String reason) {
        return of(Kind.FAILED, reason);
    }

    /**
     * Returns the outcome of an attempt that failed independently of the task, for example because the connection
     * broke. The task is retried after the first back-off of its queue's retry policy. No failure is counted.
     *
     * @param reason the reason, without payload; stored with the task
     */
    public static Outcome postponed(String reason) {
        return of(Kind.POSTPONED, reason);
    }

    /**
     * Returns the outcome of a task that no attempt can deliver. The task becomes dead immediately.
     *
     * @param reason the reason, without payload; stored with the task
     */
    public static Outcome dead(String reason) {
        return of(Kind.DEAD, reason);
    }

    /**
     * Returns the outcome of a task whose payload this process cannot read, such as after a change of its class. The
     * task becomes dead immediately. It is kept until you redrive or discard it, regardless of {@code dead.retention},
     * {@code dead.cap} and expiry.
     *
     * @param reason the unreadable part, without payload; kept with the task
     */
    public static Outcome quarantined(String reason) {
        return new Outcome(Kind.DEAD, reason, Optional.empty(), false, true, false, Optional.empty());
    }

    /** Returns the outcome of a delivery that never started. The task is due at once, for any process. */
    public static Outcome released() {
        return RELEASED;
    }

    /**
     * Returns a copy of this outcome with an explicit delay until the next attempt, instead of the back-off.
     *
     * @throws IllegalStateException if no attempt follows this outcome
     */
    public Outcome retryAfter(Duration delay) {
        return new Outcome(
                kind,
                reason,
                Optional.of(Objects.requireNonNull(delay, "delay")),
                isUncertain,
                false,
                closesKey,
                cause);
    }

    /**
     * Returns a copy of this outcome that also closes the key of the task: no other task of the key is delivered before
     * the next attempt of this task. Has no effect for a task without a key.
     *
     * @throws IllegalStateException if no attempt follows this outcome
     */
    public Outcome closingKey() {
        return new Outcome(kind, reason, retryAfter, isUncertain, false, true, cause);
    }

    /**
     * Returns a copy of this outcome that is marked as uncertain: the destination may still have received the task, or
     * may receive it later. A later cancel of the task therefore does not return {@code CANCELLED}.
     *
     * @throws IllegalStateException if this outcome is delivered or released
     */
    public Outcome mayHaveArrived() {
        return new Outcome(kind, reason, retryAfter, true, isQuarantined, closesKey, cause);
    }

    /**
     * Returns a copy of this outcome with the error that caused it. The error's stack trace is stored with the task if
     * the queue has a {@code stack-trace-size}.
     *
     * @throws IllegalStateException if the task was delivered or released
     */
    public Outcome causedBy(Throwable error) {
        return new Outcome(
                kind,
                reason,
                retryAfter,
                isUncertain,
                isQuarantined,
                closesKey,
                Optional.of(Objects.requireNonNull(error, "error")));
    }

    public Kind kind() {
        return kind;
    }

    /** Returns what went wrong; empty if the task was delivered or released. */
    public String reason() {
        return reason;
    }

    /** Returns the delay until the next attempt; empty for the queue's back-off. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns the error that caused this outcome; empty if it is not known. */
    public Optional<Throwable> cause() {
        return cause;
    }

    /** Returns whether the task is kept regardless of the limits on dead tasks. */
    public boolean isQuarantined() {
        return isQuarantined;
    }

    /** Returns whether the destination may have received the task nevertheless, or may receive it later. */
    public boolean isUncertain() {
        return isUncertain;
    }

    /** Returns whether the key of the task is closed until the next attempt. */
    public boolean closesKey() {
        return closesKey;
    }

    @Override
    public String toString() {
        return "Outcome[" + kind + (reason.isEmpty() ? "" : ": " + reason) + "]";
    }

    /** The kind of an outcome. */
    public enum Kind {
        /** The destination has received the task. */
        DELIVERED,
        /** The attempt failed and counts. The task is retried, or becomes dead if this was its last attempt. */
        FAILED,
        /** The attempt does not count. The task is retried. */
        POSTPONED,
        /** The task becomes dead. */
        DEAD,
        /** The task was released without an attempt. */
        RELEASED
    }
}
