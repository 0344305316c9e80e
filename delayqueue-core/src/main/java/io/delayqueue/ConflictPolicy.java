// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Policy for scheduling a task under an existing id.
 *
 * <p>A dead task still occupies its id. All policies except {@link #KEEP} replace it, regardless of its due time. With
 * {@link #KEEP}, nothing can be scheduled under the id until the dead task is redriven and delivered, is discarded, or
 * is removed by {@code dead.retention} or {@code dead.cap}. With {@code dead.cap: 0} dead tasks are deleted immediately
 * and do not block their id, except quarantined tasks.
 */
public enum ConflictPolicy {
    /**
     * Replaces payload, headers and due time, and resets the attempts. Also replaces a leased task. Its running
     * delivery is not stopped, but the outcome is ignored. The new task waits until that delivery ends.
     */
    REPLACE,
    /** Keeps the existing task, whether it is waiting, leased or dead. */
    KEEP,
    /** Replaces the existing task only if the new task is due earlier. */
    KEEP_EARLIER,
    /** Replaces the existing task only if the new task is due later. */
    KEEP_LATER,
    /**
     * Replaces the existing task: each call postpones the due time, and the payload of the last call is delivered. A
     * maximum wait, measured from the first call, limits the postponement. Set by {@link
     * ScheduleRequest.Builder#debounce}. As with {@link #REPLACE}, the running delivery of a leased task is not
     * stopped. The wait restarts with the first call after a delivery has started or after the task has died, but not
     * after {@code again} or a redrive. A call after the maximum wait makes the task due at once.
     */
    DEBOUNCE,
    /**
     * Keeps the existing task with its payload and due time until it has been delivered, even during its delivery and
     * retries. Unlike {@link #KEEP}, it replaces a dead task.
     */
    THROTTLE
}
