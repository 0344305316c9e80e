// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if a call took effect on the Redis master, but fewer replicas than required confirmed it in time ({@code
 * delayqueue.redis.replicas-timeout}), or Redis refused to count them. The call is not undone: a scheduled task will be delivered, and a cancelled task
 * is deleted. If the master fails before a replica has caught up, the change may be lost.
 *
 * <p>This is not a {@link TaskStoreException}: code that catches a {@code TaskStoreException} and sends a new request
 * would schedule this task twice.
 *
 * <p>To wait for the replicas again, repeat the call. To schedule, use the same {@link ScheduleRequest} object: Redis
 * returns the first result, or stores the task again if it was lost. A repeated cancel returns {@link
 * CancelOutcome#NOT_FOUND} as soon as enough replicas have the change.
 */
public class TaskNotReplicatedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final String id;
    private final Enum<?> outcome;
    private final int asked;
    private final int reached;

    /**
     * @param outcome the outcome on the master
     * @param asked number of required replicas
     * @param reached number of replicas that confirmed the change
     */
    public TaskNotReplicatedException(String queue, String id, Enum<?> outcome, int asked, int reached) {
        super(
                "Queue '" + queue + "', task '" + id + "': the call has taken effect (" + outcome + "), but only "
                        + reached + " of " + asked
                        + " replicas confirmed it in time (delayqueue.redis.replicas-timeout), so a "
                        + "failover may lose it. Repeat the call, and check the replicas: redis-cli INFO "
                        + "replication",
                null);
        this.id = id;
        this.outcome = outcome;
        this.asked = asked;
        this.reached = reached;
    }

    /** Returns the task's id. */
    public String id() {
        return id;
    }

    /**
     * Returns the result of the call: a {@link ScheduleOutcome}, {@link CancelOutcome} or {@link RescheduleOutcome}.
     */
    public Enum<?> outcome() {
        return outcome;
    }

    /** Returns the number of required replicas. */
    public int asked() {
        return asked;
    }

    /** Returns the number of replicas that confirmed the change in time. */
    public int reached() {
        return reached;
    }
}
