// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import io.delayqueue.TaskContent;
import java.time.Duration;
import java.time.Instant;

/**
 * One attempt to deliver one task under a lease, as seen by interceptors, observers and message customizers. Its
 * destination has the {@link OpenDelivery}. Thread-safe.
 */
public interface Delivery {

    String queue();

    /** Returns the number of the shard that granted the lease. */
    int shard();

    String id();

    /**
     * Returns the key that identifies one scheduled task in all its deliveries: 22 letters, digits, '-' and '_'.
     * Retries, expired leases and redrives keep it. Each schedule call creates a new key, and so does a reschedule that
     * returned IN_FLIGHT.
     */
    String taskKey();

    /** Returns the due time as scheduled, last rescheduled or redriven. */
    Instant dueAt();

    /**
     * Returns how long the task has been due, by the Redis server's clock at the acquire and this process's clock since
     * then.
     */
    Duration lateness();

    /** Returns the number of this attempt, from 1. */
    int attempt();

    /** Returns whether a failure of this attempt makes the task dead, if it counts. */
    boolean isLastAttempt();

    /** Returns the contents of the task. */
    TaskContent content();

    /** Returns the fencing token of the lease: higher than for every earlier delivery of the same queue and id. */
    long fencingToken();

    /**
     * Returns the remaining lease time; zero or negative after it has expired. Measured from before the request, so it
     * never overstates.
     */
    Duration leaseRemaining();

    /**
     * Returns whether the lease has expired or another process holds it, so that another delivery of the task may have
     * started. An outcome then changes nothing in the store.
     */
    boolean isLeaseLost();

    /** Returns whether a lease of the task has expired before, for example because its handler kills the process. */
    boolean isSuspect();

    /** Returns whether the delivery is settled. */
    boolean isEnded();

    /** Returns whether its outcome makes the task dead. */
    boolean isDead();
}
