// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.ScheduleOutcome;
import java.time.Instant;

/**
 * The store's reply for one new task.
 *
 * @param state whether the task was stored; there is an outcome only for {@link State#DONE}
 * @param dueAt due time of the task that has this id after the call
 * @param replicas number of replicas that confirmed the task; 0 if the call requires none
 * @param lastToken for an absent id, an upper bound of the fencing tokens with which this shard has delivered it;
 *     otherwise 0
 */
public record ScheduleReply(State state, ScheduleOutcome outcome, Instant dueAt, int replicas, long lastToken) {

    /** Nothing was changed: the task with this id is migrating to another shard. */
    public static final ScheduleReply MIGRATING =
            new ScheduleReply(State.MIGRATING, ScheduleOutcome.KEPT, Instant.EPOCH, 0, 0);

    public ScheduleReply(ScheduleOutcome outcome, Instant dueAt) {
        this(State.DONE, outcome, dueAt, 0, 0);
    }

    /**
     * Returns a reply for an id that is not in this shard, if only existing ids were requested. Nothing was changed.
     */
    public static ScheduleReply absent(long lastToken) {
        return new ScheduleReply(State.ABSENT, ScheduleOutcome.KEPT, Instant.EPOCH, 0, lastToken);
    }

    public ScheduleReply on(int count) {
        return new ScheduleReply(state, outcome, dueAt, count, lastToken);
    }

    /** Results of storing a task. */
    public enum State {
        /** The new task was stored or the existing one kept; the outcome tells which. */
        DONE,
        /** Not stored, because the id is not in this shard. */
        ABSENT,
        /** Not stored, because the task is migrating. */
        MIGRATING
    }
}
