// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.TaskState;
import java.util.Locale;

/** What an operation does with all tasks that a filter names. */
public enum BulkAction {
    /** Deletes tasks that wait. */
    CANCEL(TaskState.SCHEDULED),
    /** Gives tasks that wait another due time, the same for all. */
    RESCHEDULE(TaskState.SCHEDULED),
    /** Makes tasks due, at a pace, that wait for a moment still to come when the operation begins. None is put off by that. */
    DELIVER(TaskState.SCHEDULED),
    /** Makes dead tasks live again, at a pace. */
    REDRIVE(TaskState.DEAD),
    /** Deletes dead tasks. */
    DISCARD(TaskState.DEAD);

    private final TaskState of;

    BulkAction(TaskState of) {
        this.of = of;
    }

    /** Which tasks it is for; others are left alone. */
    public TaskState of() {
        return of;
    }

    /** Returns whether it makes tasks due one after the other, at a pace. */
    public boolean isPaced() {
        return this == DELIVER || this == REDRIVE;
    }

    String asText() {
        return name().toLowerCase(Locale.ROOT);
    }
}
