// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.DelayQueueException;
import io.delayqueue.queue.PrintableText;
import io.delayqueue.queue.RetryPolicy;
import io.delayqueue.store.AcquiredTask;
import io.delayqueue.store.Settlement;
import io.delayqueue.store.Shard;
import io.delayqueue.store.TaskContent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One attempt to deliver one task, under a lease. The first outcome that is called counts; later ones are ignored and say
 * so. Outcomes do not block and may be called on any thread.
 */
public final class Delivery {

    private static final int MAX_REASON = 256;
    private static final Duration LONGEST_LEASE = Duration.ofDays(36_525);

    private final Shard shard;
    private final AcquiredTask task;
    private final Lease lease;
    private final AcquiredAt acquiredAt;
    private final RetryPolicy retryPolicy;
    private final DeliveryOutcomes outcomes;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private volatile boolean interrupted;
    private volatile InterceptorChain interceptors = InterceptorChain.EMPTY;

    Delivery(
            Shard shard,
            AcquiredTask task,
            Lease lease,
            AcquiredAt acquiredAt,
            RetryPolicy retryPolicy,
            DeliveryOutcomes outcomes) {
        this.shard = shard;
        this.task = task;
        this.lease = lease;
        this.acquiredAt = acquiredAt;
        this.retryPolicy = retryPolicy;
        this.outcomes = outcomes;
    }

    public String queue() {
        return shard.queue();
    }

    /** The shard that gave the lease. */
    public Shard shard() {
        return shard;
    }

    public String id() {
        return task.id();
    }

    /**
     * What is the same in all deliveries of one scheduled task, and differs between any two tasks: 22 letters, digits, '-' and
     * '_'. It stays through retries, expired leases, redrives and whatever the library does by itself. Each call of schedule
     * makes another one, and so does a reschedule that was answered with IN_FLIGHT.
     */
    public String taskKey() {
        return task.taskKey();
    }

    /** Due time as scheduled or last moved. */
    public Instant dueAt() {
        return task.dueAt();
    }

    /** How long the task has been due, by the Redis server's clock at the acquire and this process's since then. */
    public Duration lateness() {
        return Duration.between(dueAt(), acquiredAt.serverNow());
    }

    /** A moment of this process's monotonic time at which the task is due by the Redis server's clock, never before it. */
    long dueNanoTime() {
        long micros = task.dueAt().toEpochMilli() * 1000 - acquiredAt.serverMicros();
        return acquiredAt.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    }

    /** Which attempt this is, from 1. */
    public int attempt() {
        return task.attempt();
    }

    /** What the task carries. */
    public TaskContent content() {
        return Objects.requireNonNull(task.content());
    }

    /** The fencing token of the lease: higher than at every earlier delivery of the same queue and id. */
    public long token() {
        return lease.token();
    }

    /** What is left of the lease, reckoned from before it was asked for, so never too much; not positive when it is over. */
    public Duration leaseRemaining() {
        return lease.remaining();
    }

    /**
     * Whether the lease is over or someone else's, so that another delivery of the task may have begun. What is then called
     * here changes nothing in the store.
     */
    public boolean isLeaseLost() {
        return lease.isLost();
    }

    /** Whether a lease of the task ran out before, as when its handler kills the process. */
    public boolean isSuspect() {
        return task.isSuspect();
    }

    /**
     * Puts off the end of the lease to at least this long from now, or to a hundred years where more is asked for. Blocks until the
     * store has answered.
     *
     * @return whether the lease is ours until then
     * @throws io.delayqueue.TaskStoreException if the store did not answer; the lease then ends when it would have
     */
    public boolean extendLease(Duration atLeast) {
        return outcomes.renew(this, (atLeast.compareTo(LONGEST_LEASE) > 0) ? LONGEST_LEASE : atLeast);
    }

    /**
     * Takes the delivery up. A destination whose {@link TaskDestination#beginsEach()} says so calls this before each and
     * leaves alone those that answer false: a stop has released them, and another process may have them.
     */
    public boolean begin() {
        return phase.compareAndSet(Phase.WAITING, Phase.BEGUN);
    }

    /** Whether an outcome was called. */
    public boolean isEnded() {
        return phase.get() == Phase.ENDED;
    }

    /** Whether a stop interrupts this delivery, so that its failure says nothing about the task. */
    public boolean isInterrupted() {
        return interrupted;
    }

    void interrupted() {
        interrupted = true;
    }

    Lease lease() {
        return lease;
    }

    /** Tells these interceptors of the outcome. */
    void intercept(InterceptorChain chain) {
        this.interceptors = chain;
    }

    /** Delivered: the task is deleted. */
    public boolean acknowledge() {
        return end(Settlement.ack(id(), token()));
    }

    /**
     * The attempt failed. The task is due again after the back-off of its queue's retry policy, or dead if it is out of
     * attempts.
     *
     * @param reason what went wrong, without payload; kept with the task
     * @param uncertain whether the destination may nevertheless have received the task or still may
     */
    public boolean fail(String reason, boolean uncertain) {
        return failUntil(reason, retryPolicy.delayAfter(task.failures() + 1, ThreadLocalRandom.current()), uncertain);
    }

    /**
     * The attempt ended without an answer through no fault of the task, as when the connection broke. The task is due again
     * after the first back-off of its queue's retry policy, and no failure is counted.
     */
    public boolean postpone(String reason, boolean uncertain) {
        return postpone(reason, retryPolicy.delayAfter(1, ThreadLocalRandom.current()), uncertain);
    }

    /**
     * The attempt ended without an answer, or did not begin, through no fault of the task. No failure is counted.
     *
     * @param delay until the task is due again
     */
    public boolean postpone(String reason, Duration delay, boolean uncertain) {
        return end(Settlement.retry(id(), token(), delay, false, uncertain, PrintableText.of(reason, MAX_REASON)));
    }

    /**
     * The attempt failed and asks for a time of its own.
     *
     * @param delay until the next attempt, unless the task is out of attempts
     */
    public boolean failUntil(String reason, Duration delay, boolean uncertain) {
        String text = PrintableText.of(reason, MAX_REASON);
        if (retryPolicy.isExhausted(task.failures() + 1)) {
            return end(Settlement.bury(id(), token(), uncertain, text));
        }
        return end(Settlement.retry(id(), token(), delay, true, uncertain, text));
    }

    /** No attempt can succeed: the task is dead at once. */
    public boolean bury(String reason) {
        return end(Settlement.bury(id(), token(), false, PrintableText.of(reason, MAX_REASON)));
    }

    /** The delivery never began: the task is due at once for whoever comes next. */
    public boolean release() {
        return phase.getAndSet(Phase.ENDED) != Phase.ENDED && released();
    }

    /** Releases it unless {@link #begin} was called. */
    boolean releaseUnlessBegun() {
        return phase.compareAndSet(Phase.WAITING, Phase.ENDED) && released();
    }

    private boolean released() {
        try {
            interceptors.error(this, new DelayQueueException("the delivery did not begin and was released"));
        } finally {
            outcomes.released(this);
        }
        return true;
    }

    /**
     * The delivery was broken off, as by a shutdown: the task is due at once for whoever comes next, no failure is counted,
     * and the delivery may still be under way.
     */
    public boolean breakOff(String reason) {
        String text = PrintableText.of(reason, MAX_REASON);
        return end(Settlement.retry(id(), token(), Duration.ZERO, false, true, text));
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
     */
    record AcquiredAt(long serverMicros, long nanoTime) {

        Instant serverNow() {
            return Instant.EPOCH.plus(serverMicros, ChronoUnit.MICROS).plusNanos(System.nanoTime() - nanoTime);
        }
    }

    private enum Phase {
        WAITING,
        BEGUN,
        ENDED
    }

    private boolean end(Settlement settlement) {
        if (phase.getAndSet(Phase.ENDED) == Phase.ENDED) {
            return false;
        }
        try {
            if (settlement.verb() == Settlement.Verb.ACK) {
                interceptors.after(this);
            } else {
                interceptors.error(this, new DelayQueueException(settlement.reason()));
            }
        } finally {
            outcomes.settled(this, settlement);
        }
        return true;
    }
}
