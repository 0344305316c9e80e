// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * What became of a request to cancel. After every one of them but {@link #DEFERRED} no further delivery of the task will
 * begin.
 */
public enum CancelOutcome {
    /** The task was waiting and is gone. No delivery of it is under way, and none can follow. */
    CANCELLED,
    /**
     * The task is gone and will not be tried again, but a delivery of it had begun and its end is not known: it is
     * leased now, an earlier attempt lost its lease or its confirmation, or it replaced a task of this id of which that
     * is true. That delivery is not stopped.
     */
    IN_FLIGHT,
    /** The queue holds no waiting or leased task of this id: never scheduled, already delivered, cancelled or dead. */
    NOT_FOUND,
    /**
     * The call was made within a transaction, and nothing has happened yet: the task is cancelled with the commit, if it is still
     * there then, and stays if the transaction rolls back ({@code delayqueue.transactions}). Until then it may be delivered.
     */
    DEFERRED
}
