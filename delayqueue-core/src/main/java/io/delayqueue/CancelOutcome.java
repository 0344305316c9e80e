// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * The result of a cancel. After each of them but {@link #DEFERRED} no further delivery of the task begins, and no redrive can
 * bring it back.
 */
public enum CancelOutcome {
    /** The task was waiting and is deleted. No delivery is in progress, and none can follow. */
    CANCELLED,
    /**
     * The task is deleted and will not be retried, but a delivery may still be in progress and is not stopped: the task is
     * leased, an earlier attempt lost its lease or its confirmation, or the task had replaced one in that state. To stop a
     * handler, use {@link DelayQueueOperations#cancelAndInterrupt}.
     */
    IN_FLIGHT,
    /**
     * The task is deleted and will not be retried. A delivery was in progress, was asked to stop, and has ended. The handler may
     * have done its work, or a part of it. Only {@link DelayQueueOperations#cancelAndInterrupt} answers this.
     */
    INTERRUPTED,
    /**
     * The task was dead and is now discarded. Its deliveries have failed, so a handler may have done part of the work. If its
     * last lease expired, that delivery may still be in progress.
     */
    DISCARDED_DEAD,
    /**
     * The queue has no task of this id: it was never scheduled, or it is already delivered or cancelled. A task that was
     * scheduled in a group has an id that names the group: use {@link DelayQueueOperations#group} and {@link TaskGroup#task}.
     */
    NOT_FOUND,
    /**
     * The call was made within a transaction, and nothing has happened yet ({@code delayqueue.transactions}). The commit cancels
     * the task if it is still there; a rollback leaves it. Until the commit it may be delivered.
     */
    DEFERRED
}
