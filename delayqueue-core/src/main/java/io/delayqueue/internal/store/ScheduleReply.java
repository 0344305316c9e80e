// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.ScheduleOutcome;
import java.time.Instant;

/**
 * The store's answer to one new task.
 *
 * @param state whether there is an outcome
 * @param outcome what happened
 * @param dueAt due time of the task now held under this id
 * @param replicas that are known to have it; 0 where the call asked for none
 * @param lastToken of an absent id: no delivery of it by this shard had a higher fencing token; or else 0
 */
public record ScheduleReply(State state, ScheduleOutcome outcome, Instant dueAt, int replicas, long lastToken) {

    /** Nothing was changed: the task of this id is on its way to another shard. */
    public static final ScheduleReply MIGRATING =
            new ScheduleReply(State.MIGRATING, ScheduleOutcome.KEPT, Instant.EPOCH, 0, 0);

    /** Nothing was changed: another task of the call was kept or is migrating, and all or none were to be stored. */
    public static final ScheduleReply LEFT_OUT =
            new ScheduleReply(State.LEFT_OUT, ScheduleOutcome.KEPT, Instant.EPOCH, 0, 0);

    public ScheduleReply(ScheduleOutcome outcome, Instant dueAt) {
        this(State.DONE, outcome, dueAt, 0, 0);
    }

    /** Nothing was changed: the id is not held here, and only such were asked for. */
    public static ScheduleReply absent(long lastToken) {
        return new ScheduleReply(State.ABSENT, ScheduleOutcome.KEPT, Instant.EPOCH, 0, lastToken);
    }

    /** The same, with so many replicas. */
    public ScheduleReply on(int count) {
        return new ScheduleReply(state, outcome, dueAt, count, lastToken);
    }

    /** What the store could do. */
    public enum State {
        /** Outcome and due time say what. */
        DONE,
        /** Nothing, as the id is not held here. */
        ABSENT,
        /** Nothing, as another task of the call could not be stored. */
        LEFT_OUT,
        /** Nothing, as the task is migrating. */
        MIGRATING
    }
}
