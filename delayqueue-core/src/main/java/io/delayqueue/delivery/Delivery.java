// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.time.Duration;
import java.time.Instant;

/**
 * One attempt to deliver one task, under a lease, for those who look on: interceptors, observers, customizers of messages.
 * Its destination has the {@link OpenDelivery}. Safe for use by many threads.
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
    long fencingToken();

    /**
     * What is left of the lease, reckoned from before it was asked for, so never too much; not positive when it is
     * over.
     */
    Duration leaseRemaining();

    /**
     * Whether the lease is over or another process has it, so that another delivery of the task may have begun. An outcome
     * then changes nothing in the store.
     */
    boolean isLeaseLost();

    /** Whether a lease of the task ran out before, as when its handler kills the process. */
    boolean isSuspect();

    /** Whether it has its outcome. */
    boolean isEnded();

    /** Whether its outcome makes the task dead. */
    boolean isDead();
}
