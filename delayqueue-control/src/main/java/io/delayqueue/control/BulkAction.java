// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.TaskState;

/** The change that an operation makes to all tasks that match a filter. */
public enum BulkAction {
    /** Deletes waiting tasks. */
    CANCEL(TaskState.SCHEDULED),
    /** Moves the due times of waiting tasks, or spreads them over a period. */
    RESCHEDULE(TaskState.SCHEDULED),
    /** Makes waiting tasks due at a limited rate, unless they are due earlier. */
    DELIVER(TaskState.SCHEDULED),
    /** Makes dead tasks live again, due at a limited rate. */
    REDRIVE(TaskState.DEAD),
    /** Deletes dead tasks. */
    DISCARD(TaskState.DEAD);

    private final TaskState of;

    BulkAction(TaskState of) {
        this.of = of;
    }

    /** Returns the state of the tasks that it changes. It skips all others. */
    public TaskState of() {
        return of;
    }

    /** Returns whether it makes tasks due at a limited rate. */
    public boolean isPaced() {
        return this == DELIVER || this == REDRIVE;
    }
}
