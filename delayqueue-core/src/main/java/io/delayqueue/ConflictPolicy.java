// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * What to do when a task is scheduled under an id that the queue already has.
 *
 * <p>A dead task still has its id. All policies but {@link #KEEP} replace it whatever its due time was, and it is
 * gone. {@link #KEEP} keeps it, so that nothing is scheduled under its id until it is redriven and
 * delivered, discarded, or deleted by {@code dead.retention} or {@code dead.cap}. In a queue with
 * {@code dead.cap: 0} no task that died is there, so none is in the way.
 */
public enum ConflictPolicy {
    /**
     * Take the new payload, headers and due time, and start counting attempts anew. Replaces a leased task too: the
     * running delivery of the old one is not stopped, but its outcome no longer matters. The new task waits for its end.
     */
    REPLACE,
    /** Leave the task that is there as it is, whether it is waiting, leased or dead. */
    KEEP,
    /** Replace the task that is there only if the new one is due strictly before it. */
    KEEP_EARLIER,
    /** Replace the task that is there only if the new one is due strictly after it. */
    KEEP_LATER,
    /**
     * Replace the task that is there, so that each call puts off the due time and the payload of the last call is delivered, but
     * not beyond a longest wait that is counted from the first of these calls. Asked for with
     * {@link ScheduleRequest.Builder#debounce}. As with {@link #REPLACE} the running delivery of a leased task is not stopped.
     * The wait begins anew with the first call after a delivery has begun, or after the task has died. A call that comes when the
     * longest wait is over makes the task due at once.
     */
    DEBOUNCE,
    /**
     * Leave the task that is there as it is until it has been delivered, however many calls there are: it keeps its payload and
     * its due time, also while its delivery is under way or is tried again. Unlike with {@link #KEEP}, a dead one is replaced.
     */
    THROTTLE
}
