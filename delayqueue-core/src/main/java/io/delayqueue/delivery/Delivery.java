// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import io.delayqueue.TaskContent;
import java.time.Duration;
import java.time.Instant;

/**
 * An attempt to deliver a task under a lease, as seen by interceptors, observers and message customizers. The
 * destination receives an {@link OpenDelivery}. Thread-safe.
 */
public interface Delivery {

    String queue();

    /** Returns the number of the shard that granted the lease. */
    int shard();

    String id();

    /**
     * Returns the key that identifies one scheduled task in all its deliveries: 22 letters, digits, '-' and '_'. The
     * key remains the same across retries, expired leases and redrives. Each schedule call creates a new key, and so
     * does a reschedule with the outcome IN_FLIGHT.
     */
    String taskKey();

    /** Returns the due time as scheduled, last rescheduled or redriven. */
    Instant dueAt();

    /**
     * Returns how long the task has been due. Uses the Redis server's clock up to the acquire, and this process's clock
     * since then.
     */
    Duration lateness();

    /** Returns the number of this attempt, from 1. */
    int attempt();

    /** Returns whether the task becomes dead if this attempt fails and counts. */
    boolean isLastAttempt();

    /** Returns the contents of the task. */
    TaskContent content();

    /** Returns the fencing token of the lease. It is higher than in every earlier delivery of the same queue and id. */
    long fencingToken();

    /**
     * Returns the remaining lease time; zero or negative after the lease has expired. Never longer than the actual
     * remaining time.
     */
    Duration leaseRemaining();

    /**
     * Returns whether the lease has expired or another process holds it, so that another delivery of the task may have
     * started. An outcome then changes nothing in the store.
     */
    boolean isLeaseLost();

    /** Returns whether an earlier lease of the task has expired, for example because its handler kills the process. */
    boolean isSuspect();

    /** Returns whether the delivery is settled. */
    boolean isEnded();

    /** Returns whether the outcome makes the task dead. */
    boolean isDead();
}
