// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * A call has taken effect on the Redis master, but not as many replicas as it asked for had it in time
 * ({@code delayqueue.redis.replicas-timeout}). Nothing is undone: a task that was scheduled is in the queue and will be
 * delivered, one that was cancelled is gone. Should the master fail before a replica has caught up, that may be lost.
 *
 * <p>Making the call again is safe and asks again. A schedule has to use the same {@link ScheduleRequest}: it is
 * answered as the first time, or stores the task anew where it was lost. A cancel then answers {@link
 * CancelOutcome#NOT_FOUND}, and that, too, only when the replicas know.
 */
public class TaskNotReplicatedException extends TaskStoreException {

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
                true,
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

    /** What the call did: a {@link ScheduleOutcome}, {@link CancelOutcome} or {@link RescheduleOutcome}. */
    public Enum<?> outcome() {
        return outcome;
    }

    /** What the call did if it was a schedule, or else null. */
    public @Nullable ScheduleOutcome scheduleOutcome() {
        return outcome instanceof ScheduleOutcome schedule ? schedule : null;
    }

    /** What the call did if it was a cancel, or else null. */
    public @Nullable CancelOutcome cancelOutcome() {
        return outcome instanceof CancelOutcome cancel ? cancel : null;
    }

    /** What the call did if it was a reschedule, or else null. */
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
