// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** What became of a request to give a task another due time. */
public enum RescheduleOutcome {
    /** The task was waiting and is now due at the new time, and not before. */
    RESCHEDULED,
    /**
     * The task is due (again) at the new time, but a delivery of it had begun and its end is not known: the destination
     * may see it before that time as well. What is delivered at the new time has another task key.
     */
    IN_FLIGHT,
    /** The queue holds no waiting or leased task of this id; nothing was changed. */
    NOT_FOUND,
    /**
     * The call was made within a transaction, and nothing has happened yet: the task is rescheduled with the commit, if it is still
     * there then ({@code delayqueue.transactions}). Until then it may be delivered at the time that it has.
     */
    DEFERRED
}
