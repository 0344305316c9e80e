// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A transaction has committed, and a call that was made within it has failed after that: the database has the transaction's changes,
 * and Redis may lack the call's. Published as an event of the application where {@code delayqueue.transactions} is {@code
 * after-commit}, for each such call, on the thread that carries them out, mostly the one that has committed. What a listener throws
 * is logged.
 *
 * @param queue the task's queue
 * @param id the task's id; for a change of a group {@link TaskIds#groupPrefix}
 * @param call what was to be done: {@code schedule}, {@code cancel}, {@code reschedule} or {@code update}; for a group {@code
 *     cancel}, {@code due} or {@code shift}
 * @param error why it failed, and whether it may have run nevertheless ({@link TaskStoreException#mayHaveBeenApplied()}); a {@link
 *     TransactionOutcomeUnknownException} if it was not made, since it is not known whether the transaction has committed
 */
public record DeferredCallFailed(String queue, String id, String call, DelayQueueException error) {}
