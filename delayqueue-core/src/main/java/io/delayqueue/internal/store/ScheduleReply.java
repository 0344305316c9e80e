// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.ScheduleOutcome;
import java.time.Instant;

/**
 * The store's reply for one new task.
 *
 * @param state whether there is an outcome
 * @param dueAt due time of the task that now has this id
 * @param replicas number of replicas known to have it; 0 if the call requires none
 * @param lastToken a number that is at least the highest fencing token with which this shard has delivered an absent
 *     id; 0 for other ids
 */
public record ScheduleReply(State state, ScheduleOutcome outcome, Instant dueAt, int replicas, long lastToken) {

    /** Nothing was changed: the task with this id is migrating to another shard. */
    public static final ScheduleReply MIGRATING =
            new ScheduleReply(State.MIGRATING, ScheduleOutcome.KEPT, Instant.EPOCH, 0, 0);

    public ScheduleReply(ScheduleOutcome outcome, Instant dueAt) {
        this(State.DONE, outcome, dueAt, 0, 0);
    }

    /** Nothing was changed: the id is not in this shard, and only existing ids were requested. */
    public static ScheduleReply absent(long lastToken) {
        return new ScheduleReply(State.ABSENT, ScheduleOutcome.KEPT, Instant.EPOCH, 0, lastToken);
    }

    public ScheduleReply on(int count) {
        return new ScheduleReply(state, outcome, dueAt, count, lastToken);
    }

    /** Results of storing a task. */
    public enum State {
        /** Stored or kept; see outcome and due time. */
        DONE,
        /** Not stored, because the id is not in this shard. */
        ABSENT,
        /** Not stored, because the task is migrating. */
        MIGRATING
    }
}
