// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.time.Duration;
import java.time.Instant;

/**
 * One attempt to deliver one task, under a lease. The first outcome that is called counts; later ones are ignored and
 * say so. Outcomes do not block and may be called on any thread.
 */
public interface Delivery {

    String queue();

    /** The number of the shard that gave the lease. */
    int shard();

    String id();

    /**
     * What is the same in all deliveries of one scheduled task, and differs between any two tasks: 22 letters, digits,
     * '-' and '_'. It stays through retries, expired leases, redrives and whatever the library does by itself. Each
     * call of schedule makes another one, and so does a reschedule that was answered with IN_FLIGHT.
     */
    String taskKey();

    /** Due time as scheduled or last rescheduled. */
    Instant dueAt();

    /** How long the task has been due, by the Redis server's clock at the acquire and this process's since then. */
    Duration lateness();

    /** Which attempt this is, from 1. */
    int attempt();

    /** Whether the task is dead if this attempt fails and that counts. */
    boolean isLastAttempt();

    /** What the task carries. */
    TaskContent content();

    /** The fencing token of the lease: higher than at every earlier delivery of the same queue and id. */
    long token();

    /**
     * What is left of the lease, reckoned from before it was asked for, so never too much; not positive when it is
     * over.
     */
    Duration leaseRemaining();

    /**
     * Whether the lease is over, as by another outcome than an acknowledgement, or someone else's, so that another
     * delivery of the task may have begun. What is then called here changes nothing in the store.
     */
    boolean isLeaseLost();

    /** Whether a lease of the task ran out before, as when its handler kills the process. */
    boolean isSuspect();

    /**
     * Puts off the end of the lease to at least this long from now, or to a hundred years where more is asked for.
     * Blocks until the store has answered.
     *
     * @return whether the lease is ours until then
     * @throws io.delayqueue.TaskStoreException if the store did not answer; the lease then ends when it would have
     */
    boolean extendLease(Duration atLeast);

    /**
     * Begins the delivery. A destination that {@linkplain TaskDestination#deliversOneByOne() delivers one by one} calls this
     * before each and leaves alone those that answer false: a stop has released them, and another process may have them.
     */
    boolean begin();

    /** Whether an outcome was called. */
    boolean isEnded();

    /** Whether an outcome was called that makes the task dead. */
    default boolean isDead() {
        return false;
    }

    /** Whether a stop interrupts this delivery, so that its failure says nothing about the task. */
    boolean isInterrupted();

    /**
     * Has {@link #acknowledge} end this round of the task instead of the task: it is not deleted but due again, under a
     * task key of its own and with nothing left of its attempts. A cancel, a reschedule or another task of the id that
     * came meanwhile wins. Any other outcome forgets this. The last call before the outcome counts.
     *
     * @param after until the task is due again, from the acknowledgement by the Redis server's clock; at once where it
     *     is not positive
     */
    void again(Duration after);

    /** Delivered: the task is deleted, or due again where {@link #again} was called. */
    boolean acknowledge();

    /**
     * The attempt failed. The task is due again after the back-off of its queue's retry policy, or dead if it is out of
     * attempts.
     *
     * @param reason what went wrong, without payload; kept with the task
     * @param uncertain whether the destination may nevertheless have received the task or still may
     */
    boolean fail(String reason, boolean uncertain);

    /**
     * The attempt ended without an answer through no fault of the task, as when the connection broke. The task is due
     * again after the first back-off of its queue's retry policy, and no failure is counted.
     */
    boolean postpone(String reason, boolean uncertain);

    /**
     * The attempt ended without an answer, or did not begin, through no fault of the task. No failure is counted.
     *
     * @param delay until the task is due again
     */
    boolean postpone(String reason, Duration delay, boolean uncertain);

    /**
     * The attempt failed and asks for a time of its own.
     *
     * @param delay until the next attempt, unless the task is out of attempts
     */
    boolean failUntil(String reason, Duration delay, boolean uncertain);

    /** No attempt can succeed: the task is dead at once. */
    default boolean reject(String reason) {
        return reject(reason, false);
    }

    /**
     * No attempt can succeed: the task is dead at once.
     *
     * @param uncertain whether this attempt may still be under way, or have succeeded
     */
    boolean reject(String reason, boolean uncertain);

    /** The delivery never began: the task is due at once for whoever comes next. */
    boolean release();

    /**
     * The delivery was broken off, as by a shutdown: the task is due at once for whoever comes next, no failure is
     * counted, and the delivery may still be under way. In a queue without lease expiries
     * ({@code max-lease-expiries: 0}) the task is dead instead.
     */
    boolean breakOff(String reason);
}
