// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * A call took effect on the Redis master, but fewer replicas than it asked for confirmed it in time
 * ({@code delayqueue.redis.replicas-timeout}). Nothing is undone: a scheduled task is in the queue and will be delivered, a
 * cancelled one is gone. If the master fails before a replica has caught up, the change may be lost.
 *
 * <p>This is no {@link TaskStoreException}: code that catches one and sends a new request must not send this task twice.
 *
 * <p>To ask the replicas again, repeat the call. For a schedule, use the {@link ScheduleRequest} object of the
 * first call: Redis gives its first answer, or stores the task anew if it was lost. A repeated cancel answers {@link
 * CancelOutcome#NOT_FOUND}, and only once enough replicas know.
 */
public class TaskNotReplicatedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final String id;
    private final Enum<?> outcome;
    private final int asked;
    private final int reached;

    /**
     * @param outcome on the master
     * @param asked replicas that the call asked for
     * @param reached replicas that are known to have it
     */
    public TaskNotReplicatedException(String queue, String id, Enum<?> outcome, int asked, int reached) {
        super(
                "Queue '" + queue + "', task '" + id + "': the call has taken effect (" + outcome + "), but only "
                        + reached + " of " + asked + " replicas had it in time (delayqueue.redis.replicas-timeout), so"
                        + " that a failover may lose it. Make the same call again, and look at the replicas: redis-cli"
                        + " INFO replication",
                null);
        this.id = id;
        this.outcome = outcome;
        this.asked = asked;
        this.reached = reached;
    }

    /** The task. */
    public String id() {
        return id;
    }

    /** Returns the result of the call: a {@link ScheduleOutcome}, {@link CancelOutcome} or {@link RescheduleOutcome}. */
    public Enum<?> outcome() {
        return outcome;
    }

    /** Returns the result of a schedule; null for another call. */
    public @Nullable ScheduleOutcome scheduleOutcome() {
        return outcome instanceof ScheduleOutcome schedule ? schedule : null;
    }

    /** Returns the result of a cancel; null for another call. */
    public @Nullable CancelOutcome cancelOutcome() {
        return outcome instanceof CancelOutcome cancel ? cancel : null;
    }

    /** Returns the result of a reschedule; null for another call. */
    public @Nullable RescheduleOutcome rescheduleOutcome() {
        return outcome instanceof RescheduleOutcome reschedule ? reschedule : null;
    }

    /** How many replicas were to have it. */
    public int asked() {
        return asked;
    }

    /** How many are known to have it; it may be more by now. */
    public int reached() {
        return reached;
    }
}
