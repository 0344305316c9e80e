// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.engine.DeliveryEvents.Ending;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A delivery under a lease that the engine has. */
final class LeasedDelivery implements Delivery {

    private static final int MAX_REASON = 256;
    private static final Duration LONGEST_LEASE = Duration.ofDays(36_525);

    private final Shard shard;
    private final AcquiredTask task;
    private final Lease lease;
    private final AcquiredAt acquiredAt;
    private final QueueSettings queue;
    private final DeliveryOutcomes outcomes;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private volatile boolean interrupted;
    private volatile boolean dead;
    private volatile boolean expired;
    private volatile @Nullable Duration nextRound;
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

    /** The shard that gave the lease. */
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

    /** The Redis server's clock, as it was at the acquire and with the time since its answer. */
    Instant serverNow() {
        return acquiredAt.serverNow();
    }

    /**
     * A moment of this process's monotonic time at which the task is due by the Redis server's clock, never before it.
     */
    long dueNanoTime() {
        long micros = task.dueAt().toEpochMilli() * 1000 - acquiredAt.serverMicros();
        return acquiredAt.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
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
    public long token() {
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

    /** Has {@link #begin} ask a gate first, and block meanwhile. */
    void passBeforeItBegins(DeliveryGate passed) {
        this.gate = passed;
    }

    /** Tells these interceptors of the outcome. */
    void intercept(InterceptorChain chain) {
        this.interceptors = chain;
    }

    /** Stops the observation with the outcome. The content has the headers that observers added from now on. */
    void observe(DeliveryObservation started) {
        observation = started;
        observedContent = started.addTo(content());
    }

    @Override
    public void again(Duration after) {
        nextRound = Objects.requireNonNull(after);
    }

    @Override
    public boolean acknowledge() {
        Duration after = nextRound;
        return end(after == null ? Settlement.ack(id(), token()) : Settlement.again(id(), token(), after));
    }

    @Override
    public boolean fail(String reason, boolean uncertain) {
        return failUntil(reason, queue.retry().delayAfter(task.failures() + 1, ThreadLocalRandom.current()), uncertain);
    }

    @Override
    public boolean postpone(String reason, boolean uncertain) {
        return postpone(reason, queue.retry().delayAfter(1, ThreadLocalRandom.current()), uncertain);
    }

    @Override
    public boolean postpone(String reason, Duration delay, boolean uncertain) {
        return end(Settlement.retry(id(), token(), delay, false, uncertain, PrintableText.of(reason, MAX_REASON)));
    }

    @Override
    public boolean failUntil(String reason, Duration delay, boolean uncertain) {
        String text = PrintableText.of(reason, MAX_REASON);
        if (isLastAttempt()) {
            return end(Settlement.dead(id(), token(), uncertain, text));
        }
        return end(Settlement.retry(id(), token(), delay, true, uncertain, text));
    }

    @Override
    public boolean reject(String reason, boolean uncertain) {
        return end(Settlement.dead(id(), token(), uncertain, PrintableText.of(reason, MAX_REASON)));
    }

    /**
     * It is too late to begin.
     *
     * @param kept whether the task becomes a dead one; otherwise it is deleted
     */
    void expire(String reason, boolean kept) {
        expired = true;
        Settlement dead = Settlement.dead(id(), token(), false, reason);
        end(kept ? dead : dead.discarding());
    }

    /** Whether it was too late to begin. */
    boolean isExpired() {
        return expired;
    }

    @Override
    public boolean release() {
        Phase before = phase.getAndSet(Phase.ENDED);
        if (before == Phase.ENDED) {
            return false;
        }
        boolean leaseLost = lease.isLost();
        try {
            return released();
        } finally {
            ended(before, Ending.RELEASED, leaseLost, null);
        }
    }

    /** Releases it unless {@link #begin} was called. */
    boolean releaseUnlessBegun() {
        return phase.compareAndSet(Phase.WAITING, Phase.ENDED) && released();
    }

    /** Gives it the outcome that its destination did not, as it threw. */
    void failUnlessReleased(String reason) {
        if (!releaseUnlessBegun()) {
            fail(reason, true);
        }
    }

    private boolean released() {
        try {
            interceptors.error(this, new DelayQueueException("the delivery did not begin and was released"));
        } finally {
            outcomes.released(this);
        }
        return true;
    }

    @Override
    public boolean breakOff(String reason) {
        String text = PrintableText.of(reason, MAX_REASON);
        return end(
                queue.beginsAtMostOnce()
                        ? Settlement.dead(id(), token(), true, text)
                        : Settlement.retry(id(), token(), Duration.ZERO, false, true, text));
    }

    /** Names the task, never its payload. */
    @Override
    public String toString() {
        return "Delivery[queue=" + queue() + ", id=" + PrintableText.of(id(), MAX_REASON) + ", attempt=" + attempt()
                + ", token=" + token() + "]";
    }

    /**
     * When a batch was acquired.
     *
     * @param serverMicros by the Redis server's clock
     * @param nanoTime in this process, when the answer was there
     * @param clock by which tasks are due
     */
    record AcquiredAt(long serverMicros, long nanoTime, QueueClock clock) {

        AcquiredAt(long serverMicros, long nanoTime) {
            this(serverMicros, nanoTime, QueueClock.SERVERS);
        }

        /** Never after what the server's clock says, unless that was set back meanwhile. */
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

    private boolean end(Settlement settlement) {
        Phase before = phase.getAndSet(Phase.ENDED);
        if (before == Phase.ENDED) {
            return false;
        }
        dead = settlement.verb() == Settlement.Verb.DEAD;
        boolean leaseLost = lease.isLost();
        try {
            if (settlement.verb() == Settlement.Verb.ACK || settlement.verb() == Settlement.Verb.AGAIN) {
                interceptors.after(this);
            } else {
                lease.lost(); // for a handler that goes on nevertheless
                interceptors.error(this, new DelayQueueException(settlement.reason()));
            }
        } finally {
            outcomes.settled(this, settlement);
            Ending ending = ending(settlement);
            ended(before, ending, leaseLost, (ending == Ending.DELIVERED) ? null : settlement.reason());
        }
        return true;
    }

    private void ended(Phase before, Ending ending, boolean leaseLost, @Nullable String problem) {
        try {
            if (before == Phase.BEGUN) {
                outcomes.ended(this, ending, leaseLost);
            }
        } finally {
            observation.ended(ending, problem);
        }
    }

    private static Ending ending(Settlement settlement) {
        return switch (settlement.verb()) {
            case ACK, AGAIN -> Ending.DELIVERED;
            case DEAD, DISCARD -> Ending.DEAD;
            case RETRY -> settlement.countsAsFailure() ? Ending.FAILED : Ending.POSTPONED;
        };
    }
}
