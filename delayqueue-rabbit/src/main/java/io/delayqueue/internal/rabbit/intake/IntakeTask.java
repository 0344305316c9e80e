// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import io.delayqueue.internal.transaction.TaskChange;
import org.jspecify.annotations.Nullable;

/**
 * A received message and the change of a task that it requests.
 *
 * @param change the requested change; null if the message is refused
 * @param named whether the producer named the task, so that a later message can replace or cancel it
 * @param anew a change that stores the message under another id if it equals a stored message but is not a redelivery;
 *     null for none
 * @param refusal reason why the message cannot be stored; null if it can
 */
record IntakeTask(
        Received message,
        @Nullable TaskChange<?> change,
        boolean named,
        TaskChange.@Nullable Schedule anew,
        @Nullable String refusal) {

    static IntakeTask named(Received message, TaskChange<?> change) {
        return new IntakeTask(message, change, true, null, null);
    }

    static IntakeTask unnamed(Received message, TaskChange.Schedule change, TaskChange.@Nullable Schedule anew) {
        return new IntakeTask(message, change, false, anew, null);
    }

    static IntakeTask refused(Received message, String reason) {
        return new IntakeTask(message, null, false, null, reason);
    }

    /** Returns the approximate size of the task to store. */
    int size() {
        return change instanceof TaskChange.Schedule schedule ? schedule.task().size() : 0;
    }

    /** Shows only the message. */
    @Override
    public String toString() {
        return "IntakeTask[" + message + "]";
    }
}
