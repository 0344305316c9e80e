// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** The result of a request to change a task's due time. */
public enum RescheduleOutcome {
    /** The task was waiting. It is now due at the new time. */
    RESCHEDULED,
    /**
     * The task is due at the new time, but an earlier delivery has started and may still be in progress, so the
     * destination may also see the task before that time. The delivery at the new time has another task key.
     */
    IN_FLIGHT,
    /** The queue has no waiting or leased task with this id. Nothing was changed. */
    NOT_FOUND,
    /**
     * The call was made within a transaction and has not run yet ({@code delayqueue.transactions}). The commit
     * reschedules the task if it still exists. Until then it may be delivered at its earlier due time.
     */
    DEFERRED
}
