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
    /** Makes tasks due that wait for a moment still to come when the operation begins. */
    DELIVER(TaskState.SCHEDULED),
    /** Makes dead tasks live again. */
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

    String asText() {
        return name().toLowerCase(Locale.ROOT);
    }
}
