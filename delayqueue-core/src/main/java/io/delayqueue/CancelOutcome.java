// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * The result of a cancel. After every result except {@link #DEFERRED}, no further delivery of the task starts, and no
 * redrive can restore it.
 */
public enum CancelOutcome {
    /** The task was waiting and is deleted. No delivery is in progress, and none can follow. */
    CANCELLED,
    /**
     * The task is deleted and will not be retried, but a delivery may still be in progress and is not stopped: the task
     * is leased, an earlier attempt lost its lease or its confirm, or the task had replaced a task in such a state. To
     * stop a handler, use {@link DelayQueueOperations#cancelAndInterrupt}.
     */
    IN_FLIGHT,
    /**
     * The task is deleted and will not be retried. A delivery was in progress, was stopped, and has ended. The handler
     * may have done all or part of its work. An earlier delivery that lost its lease may still be in progress. Only
     * {@link DelayQueueOperations#cancelAndInterrupt} returns this.
     */
    INTERRUPTED,
    /**
     * The task was dead and is now discarded. Its deliveries have failed, so a handler may have done part of the work.
     * If its last lease expired, that delivery may still be in progress.
     */
    DISCARDED_DEAD,
    /**
     * The queue has no task with this id: it was never scheduled, or it has already been delivered or cancelled. The id
     * of a task in a group contains the group: use {@link DelayQueueOperations#group} and {@link TaskGroup#task}.
     */
    NOT_FOUND,
    /**
     * The call was made within a transaction and has not run yet ({@code delayqueue.transactions}). The commit cancels
     * the task if it still exists; a rollback keeps it. Until the commit it may be delivered.
     */
    DEFERRED
}
