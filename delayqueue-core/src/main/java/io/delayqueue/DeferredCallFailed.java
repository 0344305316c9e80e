// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Event for a call that was deferred to a commit and failed after it: the database has the changes of the transaction,
 * but Redis may lack those of the call. Published as an application event for each such call if
 * {@code delayqueue.transactions} is {@code after-commit}, on the thread that makes the calls, usually the committing
 * thread. Exceptions thrown by a listener are logged.
 *
 * @param queue the task's queue
 * @param id the task's id, or {@link TaskIds#groupPrefix} for a change of a group
 * @param call the call: {@code schedule}, {@code cancel}, {@code reschedule} or {@code update}; for a group
 *     {@code cancel}, {@code due} or {@code shift}
 * @param error the failure, which also says whether the call may have run anyway ({@link
 *     TaskStoreException#mayHaveBeenApplied()}). A {@link TransactionOutcomeUnknownException} if it was not made
 *     because it is unknown whether the transaction has committed.
 */
public record DeferredCallFailed(String queue, String id, String call, DelayQueueException error) {}
