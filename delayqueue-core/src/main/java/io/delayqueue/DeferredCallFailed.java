// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Application event for a call that was deferred until a commit and then failed: the database has the changes of the
 * transaction, but Redis may lack the change of the call. Published for each such call with {@code
 * delayqueue.transactions: after-commit}, on the thread that makes the calls, usually the committing thread. Exceptions
 * thrown by a listener are logged.
 *
 * @param queue the task's queue
 * @param id the task's id, or {@link TaskIds#groupPrefix} for a change of a group
 * @param call the call: {@code schedule}, {@code cancel}, {@code reschedule} or {@code update}; for a group
 *     {@code cancel}, {@code due} or {@code shift}
 * @param error the failure. {@link TaskStoreException#mayHaveBeenApplied()} tells whether the call may have been
 *     executed. A {@link TransactionOutcomeUnknownException} means that the call was not made, because it is unknown
 *     whether the transaction has committed.
 */
public record DeferredCallFailed(String queue, String id, String call, DelayQueueException error) {}
