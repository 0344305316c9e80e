// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.DelayQueueException;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A delivery whose lease the engine manages. */
public final class LeasedDelivery implements OpenDelivery {

    private static final int MAX_REASON = 256;
    private static final Duration LONGEST_LEASE = Duration.ofDays(36_525);

    private final Shard shard;
    private final AcquiredTask task;
    private final Lease lease;
    private final AcquiredAt acquiredAt;
    private final QueueSettings queue;
    private final DeliveryOutcomes outcomes;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private volatile boolean wasBegun;
    private volatile boolean interrupted;
    private volatile boolean mayContinue;
    private volatile boolean dead;
    private volatile boolean expired;
    private volatile @Nullable Due nextRound;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable Runnable interrupt;
    private volatile @Nullable Runnable toldOfEnd; // set once a cancel ends this delivery
    private volatile InterceptorChain interceptors = InterceptorChain.EMPTY;
    private volatile DeliveryObservation observation = DeliveryObservation.NONE;
    private volatile @Nullable TaskContent observedContent;
    private volatile @Nullable DeliveryGate gate;

    LeasedDelivery(
            Shard shard,
            AcquiredTask task,
            Lease lease,
            AcquiredAt acquiredAt,
            QueueSettings queue,
            DeliveryOutcomes outcomes) {
        this.shard = shard;
        this.task = task;
        this.lease = lease;
        this.acquiredAt = acquiredAt;
        this.queue = queue;
        this.outcomes = outcomes;
    }

    @Override
    public String queue() {
        return shard.queue();
    }

    Shard source() {
        return shard;
    }

    @Override
    public int shard() {
        return shard.index();
    }

    @Override
    public String id() {
        return task.id();
    }

    @Override
    public String taskKey() {
        return task.taskKey();
    }

    @Override
    public Instant dueAt() {
        return task.dueAt();
    }

    @Override
    public Duration lateness() {
        return Duration.between(dueAt(), acquiredAt.serverNow());
    }

    /** Returns the Redis server's time: its time at the acquire plus the time since the reply. */
    Instant serverNow() {
        return acquiredAt.serverNow();
    }

    /** Returns whether this delivery has started; still {@code true} after its end. */
    boolean hasBegun() {
        return wasBegun;
    }

    /** Returns how long this delivery may wait for a fuller batch without being too late, at most the given time. */
    Duration slack(Duration most) {
        return outcomes.slack(this, most);
    }

    /** Returns the time since the task was acquired. */
    Duration waited() {
        return Duration.ofNanos(System.nanoTime() - acquiredAt.nanoTime());
    }

    @Override
    public int attempt() {
        return task.attempt();
    }

    @Override
    public boolean isLastAttempt() {
        return queue.retry().isExhausted(task.failures() + 1);
    }

    @Override
    public TaskContent content() {
        TaskContent observed = observedContent;
        return (observed != null) ? observed : Objects.requireNonNull(task.content());
    }

    @Override
    public long fencingToken() {
        return lease.token();
    }

    @Override
    public Duration leaseRemaining() {
        return lease.remaining();
    }

    @Override
    public boolean isLeaseLost() {
        return lease.isLost();
    }

    @Override
    public boolean isSuspect() {
        return task.isSuspect();
    }

    @Override
    public boolean extendLease(Duration atLeast) {
        return outcomes.renew(this, (atLeast.compareTo(LONGEST_LEASE) > 0) ? LONGEST_LEASE : atLeast);
    }

    @Override
    public boolean begin() {
        DeliveryGate passed = gate;
        if (passed != null && !isEnded() && passed.admitted(List.of(this)).isEmpty()) {
            return false;
        }
        if (!outcomes.isInTime(this)) {
            return false;
        }
        boolean begins = phase.compareAndSet(Phase.WAITING, Phase.BEGUN);
        wasBegun |= begins;
        if (begins) {
            outcomes.begun(this);
        }
        return begins;
    }

    @Override
    public boolean isEnded() {
        return phase.get() == Phase.ENDED;
    }

    @Override
    public boolean isInterrupted() {
        return interrupted;
    }

    @Override
    public boolean isDead() {
        return dead;
    }

    void interrupted() {
        interrupted = true;
    }

    Lease lease() {
        return lease;
    }

    /** Sets a gate to pass in {@link #begin}. Passing the gate blocks. */
    void passBeforeItBegins(DeliveryGate passed) {
        this.gate = passed;
    }

    /** Sets the interceptors to notify of the outcome. */
    void intercept(InterceptorChain chain) {
        this.interceptors = chain;
    }

    /**
     * Sets the observation, which stops with the outcome. From now on the content includes the headers that observers
     * added.
     */
    void observe(DeliveryObservation started) {
        observation = started;
        observedContent = started.addTo(content());
    }

    @Override
    public void again(Due due) {
        nextRound = Objects.requireNonNull(due);
    }

    @Override
    public void onInterrupt(Runnable step) {
        interrupt = step;
        if (toldOfEnd != null) {
            step.run();
        }
    }

    /**
     * Ends the delivery of a cancelled task when its handler ends.
     *
     * @param ended run when nothing is running any more, unless that cannot be known or an earlier call named another;
     *     a later cancel is about another delivery
     */
    void endEarly(Runnable ended) {
        lease.lost();
        if (isEnded()) {
            return; // its outcome is unknown
        }
        if (toldOfEnd == null) {
            toldOfEnd = ended;
        }
        Runnable step = interrupt;
        if (!releaseUnlessBegun() && step != null) {
            step.run();
        }
    }

    @Override
    public void failWith(Throwable error) {
        failure = Objects.requireNonNull(error);
    }

    @Override
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * Records that the work may continue after the outcome. Any outcome except {@link Outcome#delivered()} is then
     * uncertain; if deliveries begin at most once, the task becomes dead.
     */
    public void mayContinue() {
        mayContinue = true;
    }

    @Override
    public boolean settle(Outcome outcome) {
        Settlement settlement = settlement(marked(outcome)).withStackTrace(stackTrace(outcome));
        return end(phase.getAndSet(Phase.ENDED), settlement, outcome.closesKey() ? pause(outcome, settlement) : null);
    }

    private Outcome marked(Outcome outcome) {
        if (!mayContinue || outcome.kind() == Outcome.Kind.DELIVERED) {
            return outcome;
        }
        Outcome attempted = (outcome.kind() == Outcome.Kind.RELEASED)
                ? Outcome.postponed("released, but it may still be running").retryAfter(Duration.ZERO)
                : outcome;
        boolean ends = queue.beginsAtMostOnce() && attempted.kind() != Outcome.Kind.DEAD;
        return (ends ? Outcome.dead(attempted.reason()) : attempted).mayHaveArrived();
    }

    private static Duration pause(Outcome outcome, Settlement settlement) {
        return settlement.isDeath()
                ? outcome.retryAfter().orElse(Duration.ZERO)
                : Duration.ofMillis(settlement.due().millis());
    }

    private String stackTrace(Outcome outcome) {
        int size = queue.stackTraceSize();
        return size == 0 || isEnded()
                ? ""
                : outcome.cause().map(cause -> StackTraceText.of(cause, size)).orElse("");
    }

    private Settlement settlement(Outcome outcome) {
        String reason = PrintableText.of(outcome.reason(), MAX_REASON);
        boolean uncertain = outcome.isUncertain();
        return switch (outcome.kind()) {
            case DELIVERED -> delivered();
            case FAILED ->
                isLastAttempt()
                        ? Settlement.dead(id(), fencingToken(), uncertain, reason)
                        : retry(outcome, task.failures() + 1, reason);
            case POSTPONED -> retry(outcome, 1, reason);
            case DEAD ->
                outcome.isQuarantined()
                        ? Settlement.quarantined(id(), fencingToken(), uncertain, reason)
                        : Settlement.dead(id(), fencingToken(), uncertain, reason);
            case RELEASED -> Settlement.release(id(), fencingToken());
        };
    }

    private Settlement delivered() {
        Due due = nextRound;
        return due == null ? Settlement.ack(id(), fencingToken()) : Settlement.again(id(), fencingToken(), due);
    }

    private Settlement retry(Outcome outcome, int failures, String reason) {
        Duration delay =
                outcome.retryAfter().orElseGet(() -> queue.retry().delayAfter(failures, ThreadLocalRandom.current()));
        boolean counts = outcome.kind() == Outcome.Kind.FAILED;
        return Settlement.retry(id(), fencingToken(), delay, counts, outcome.isUncertain(), reason);
    }

    /**
     * Settles this delivery as too late to start.
     *
     * @param kept whether the task becomes dead; otherwise it is deleted
     */
    void expire(String reason, boolean kept) {
        expired = true;
        Settlement dead = Settlement.dead(id(), fencingToken(), false, reason);
        end(phase.getAndSet(Phase.ENDED), kept ? dead : dead.discarding(), null);
    }

    boolean isExpired() {
        return expired;
    }

    /** Releases the task unless {@link #begin} was called. */
    boolean releaseUnlessBegun() {
        return phase.compareAndSet(Phase.WAITING, Phase.ENDED)
                && end(Phase.WAITING, Settlement.release(id(), fencingToken()), null);
    }

    /** Settles this delivery after its destination threw. */
    void failUnlessReleased(Throwable error) {
        if (!releaseUnlessBegun()) {
            String reason = "destination threw " + error.getClass().getName();
            settle(Outcome.failed(reason).causedBy(error).mayHaveArrived());
        }
    }

    /**
     * Releases the task of a delivery that a stop interrupts, although it may still be running. The task is due at
     * once; if deliveries begin at most once, it becomes dead instead.
     */
    void breakOff(String reason) {
        mayContinue();
        settle(Outcome.postponed(reason).retryAfter(Duration.ZERO));
    }

    /** Shows the task, never its payload. */
    @Override
    public String toString() {
        return "Delivery[queue=" + queue() + ", id=" + PrintableText.line(id(), MAX_REASON) + ", attempt=" + attempt()
                + ", token=" + fencingToken() + "]";
    }

    /**
     * The time of an acquire.
     *
     * @param serverMicros time by the Redis server's clock
     * @param nanoTime time in this process when the reply arrived
     * @param clock clock that determines when tasks are due
     */
    record AcquiredAt(long serverMicros, long nanoTime, QueueClock clock) {

        /** Returns a time that is never ahead of the server's clock, unless that clock was set back. */
        Instant serverNow() {
            Instant still = clock.standstill();
            return (still != null)
                    ? still
                    : Instant.EPOCH.plus(serverMicros, ChronoUnit.MICROS).plusNanos(System.nanoTime() - nanoTime);
        }
    }

    private enum Phase {
        WAITING,
        BEGUN,
        ENDED
    }

    private boolean end(Phase before, Settlement settlement, @Nullable Duration closesKeyFor) {
        if (before == Phase.ENDED) {
            return false;
        }
        dead = settlement.isDeath() && settlement.verb() != Settlement.Verb.DISCARD;
        boolean leaseLost = lease.isLost();
        try {
            if (settlement.verb() == Settlement.Verb.ACK || settlement.verb() == Settlement.Verb.AGAIN) {
                interceptors.after(this);
            } else {
                lease.lost(); // Tells a handler that continues anyway.
                interceptors.error(this, new DelayQueueException(settlement.reason()));
            }
        } finally {
            outcomes.settled(this, settlement, closesKeyFor);
            Outcome.Kind ending = ending(settlement);
            boolean isProblem = ending != Outcome.Kind.DELIVERED && ending != Outcome.Kind.RELEASED;
            ended(before, ending, leaseLost, isProblem ? settlement.reason() : null);
            Runnable told = toldOfEnd;
            if (told != null && !settlement.uncertain() && !mayContinue) {
                told.run();
            }
        }
        return true;
    }

    private void ended(Phase before, Outcome.Kind ending, boolean leaseLost, @Nullable String problem) {
        try {
            if (before == Phase.BEGUN) {
                outcomes.ended(this, ending, leaseLost);
            } else if (!expired) {
                outcomes.endedUnstarted(this, ending);
            }
        } finally {
            observation.ended(ending, problem);
        }
    }

    private static Outcome.Kind ending(Settlement settlement) {
        return switch (settlement.verb()) {
            case ACK, AGAIN -> Outcome.Kind.DELIVERED;
            case RELEASE -> Outcome.Kind.RELEASED;
            case DEAD, QUARANTINE, DISCARD -> Outcome.Kind.DEAD;
            case RETRY -> settlement.countsAsFailure() ? Outcome.Kind.FAILED : Outcome.Kind.POSTPONED;
        };
    }
}
