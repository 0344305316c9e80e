// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** The result of a request to replace a task's payload. */
public enum UpdateOutcome {
    /** The payload of the waiting task was replaced. Every delivery that starts from now on has the new payload. */
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
     * The call was made within a transaction and has not run yet. The commit replaces the payload if the task still
     * waits ({@code delayqueue.transactions}).
     */
    DEFERRED
}
