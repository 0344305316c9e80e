// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** The result of a request to change a task's payload or headers. */
public enum UpdateOutcome {
    /** The waiting task was changed. Every delivery that starts from now on has the new payload and headers. */
    UPDATED,
    /**
     * Nothing was changed, because a delivery of the task has started and may still be in progress. If a second
     * delivery is harmless, cancel the task and schedule a new one. Also returned while the task waits for the end of
     * an earlier delivery with the same id.
     */
    IN_FLIGHT,
    /** The queue has no waiting or leased task with this id. */
    NOT_FOUND,
    /**
     * The call was made within a transaction and has not run yet. The commit changes the task if it still waits
     * ({@code delayqueue.transactions}).
     */
    DEFERRED
}
