// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.TaskState;
import java.util.List;

/** The change that an operation makes to all tasks that match a filter. */
public enum BulkAction {
    /** Deletes waiting tasks. */
    CANCEL,
    /** Moves the due times of waiting tasks, or spreads them over a period. */
    RESCHEDULE,
    /** Makes waiting tasks due at a limited rate. A task that is due before its turn keeps its due time. */
    DELIVER,
    /** Makes dead tasks live again, due at a limited rate. */
    REDRIVE,
    /** Deletes dead tasks. */
    DISCARD,
    /** Deletes waiting and dead tasks and what the library has recorded about them. Only counts tasks in progress. */
    ERASE;

    /** Returns the states of the tasks that it changes or counts, in this order. It skips all others. */
    public List<TaskState> of() {
        return switch (this) {
            case CANCEL, RESCHEDULE, DELIVER -> List.of(TaskState.SCHEDULED);
            case REDRIVE, DISCARD -> List.of(TaskState.DEAD);
            case ERASE -> List.of(TaskState.SCHEDULED, TaskState.DEAD, TaskState.LEASED);
        };
    }

    /** Returns whether this action makes tasks due at a limited rate. */
    public boolean isPaced() {
        return this == DELIVER || this == REDRIVE;
    }
}
