// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.queue.PrintableText;
import io.delayqueue.queue.RetryPolicy;
import io.delayqueue.store.AcquiredTask;
import io.delayqueue.store.Settlement;
import io.delayqueue.store.Shard;
import io.delayqueue.store.TaskContent;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One attempt to deliver one task, under a lease. The first outcome that is called counts; later ones are ignored and say
 * so. Outcomes do not block and may be called on any thread.
 */
public final class Delivery {

    private static final int MAX_REASON = 256;

    private final Shard shard;
    private final AcquiredTask task;
    private final long token;
    private final long leaseEndNanos;
    private final RetryPolicy retryPolicy;
    private final DeliveryOutcomes outcomes;
    private final AtomicBoolean ended = new AtomicBoolean();

    Delivery(
            Shard shard,
            AcquiredTask task,
            long token,
            long leaseEndNanos,
            RetryPolicy retryPolicy,
            DeliveryOutcomes outcomes) {
        this.shard = shard;
        this.task = task;
        this.token = token;
        this.leaseEndNanos = leaseEndNanos;
        this.retryPolicy = retryPolicy;
        this.outcomes = outcomes;
    }

    public String queue() {
        return shard.queue();
    }

    /** The shard, within which {@link #token()} only ever grows. */
    public Shard shard() {
        return shard;
    }

    public String id() {
        return task.id();
    }

    /** Due time as scheduled or last moved. */
    public Instant dueAt() {
        return task.dueAt();
    }

    /** Which attempt this is, from 1. */
    public int attempt() {
        return task.attempt();
    }

    /** What the task carries. */
    public TaskContent content() {
        return Objects.requireNonNull(task.content());
    }

    /** The fencing token of the lease. */
    public long token() {
        return token;
    }

    /** What is left of the lease, reckoned from before it was asked for, so never too much; not positive when it is over. */
    public Duration leaseRemaining() {
        return Duration.ofNanos(leaseEndNanos - System.nanoTime());
    }

    /** Delivered: the task is deleted. */
    public boolean acknowledge() {
        return end(Settlement.ack(id(), token));
    }

    /**
     * The attempt failed. The task is due again after the back-off of its queue's retry policy, or dead if it is out of
     * attempts.
     *
     * @param reason what went wrong, without payload; kept with the task
     * @param uncertain whether the destination may nevertheless have received the task or still may
     */
    public boolean fail(String reason, boolean uncertain) {
        String text = PrintableText.of(reason, MAX_REASON);
        int failures = task.failures() + 1;
        if (retryPolicy.isExhausted(failures)) {
            return end(Settlement.bury(id(), token, uncertain, text));
        }
        Duration delay = retryPolicy.delayAfter(failures, ThreadLocalRandom.current());
        return end(Settlement.retry(id(), token, delay, true, uncertain, text));
    }

    /**
     * The attempt ended without an answer through no fault of the task, as when the connection broke. The task is due again
     * after the first back-off of its queue's retry policy, and no failure is counted.
     */
    public boolean postpone(String reason, boolean uncertain) {
        Duration delay = retryPolicy.delayAfter(1, ThreadLocalRandom.current());
        return end(Settlement.retry(id(), token, delay, false, uncertain, PrintableText.of(reason, MAX_REASON)));
    }

    /** No attempt can succeed: the task is dead at once. */
    public boolean bury(String reason) {
        return end(Settlement.bury(id(), token, false, PrintableText.of(reason, MAX_REASON)));
    }

    /** The delivery never began: the task is due at once for whoever comes next. */
    public boolean release() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        outcomes.released(this);
        return true;
    }

    /** Names the task, never its payload. */
    @Override
    public String toString() {
        return "Delivery[queue=" + queue() + ", id=" + id() + ", attempt=" + attempt() + ", token=" + token + "]";
    }

    private boolean end(Settlement settlement) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        outcomes.settled(this, settlement);
        return true;
    }
}
