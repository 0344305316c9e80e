// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** What became of a request to give a task another payload. */
public enum UpdateOutcome {
    /** The task waits, and every delivery that begins from now on has the new payload. */
    UPDATED,
    /**
     * Nothing was changed: a delivery of the task had begun and its end is not known, so that it may have reached
     * somebody with the payload that it has. Cancel it and schedule another one where that does not matter.
     * So too while the task waits for the end of a delivery of its id.
     */
    IN_FLIGHT,
    /** The queue holds no waiting or leased task of this id. */
    NOT_FOUND,
    /**
     * The call was made within a transaction, and nothing has happened yet: the task is given the payload with the commit, if it
     * still waits then ({@code delayqueue.transactions}).
     */
    DEFERRED
}
