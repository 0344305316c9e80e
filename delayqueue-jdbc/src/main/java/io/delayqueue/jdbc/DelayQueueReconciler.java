// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

/**
 * Compares what the application's database says should be in a queue with what is there, and mends the differences that
 * it is asked to. For what no outbox can prevent: a Redis that has lost data, tasks that somebody has purged or
 * cancelled by hand, orders that were written past the application.
 *
 * <p>What was true of two stores one after the other need not be true of both at once. So a difference counts only if it
 * is still there after {@link ReconcileRequest.Builder#settle} and a second look at both. It is mended in a transaction
 * of its own, through the outbox: that first writes the change, which locks the outbox's row of the task, then asks the
 * application once more, and rolls back if the answer is another one by now. So a transaction of the application that
 * schedules or cancels the same task through the outbox has either committed before, and is seen, or comes after and
 * wins. A task that is scheduled while a run looks for those left over is not cancelled by it.
 *
 * <p>What is changed in Redis directly ({@code delayqueue.transactions: immediate}) takes no lock, so a change made within a
 * transaction that is longer than {@code settle} may be taken for a difference. Mend {@link
 * ReconcileDifference.Kind#LEFT_OVER} only in queues that are written through the outbox.
 *
 * <p>A task is not missing while it is under delivery, nor for {@link ReconcileRequest.Builder#handedOver} after its due
 * time, while its message may still wait in RabbitMQ. A missing one is scheduled with the policy {@link
 * io.delayqueue.ConflictPolicy#KEEP}; it is a new task with another task key, so a consumer has to look at the order as
 * always. Dead tasks are reported and left alone.
 *
 * <p>Safe for use by many threads. Two runs at the same time find the same differences, and mend them twice without harm.
 */
public interface DelayQueueReconciler {

    /**
     * Compares, on the calling thread and at the pace asked for. Ends early when the thread is interrupted.
     *
     * @return what was found
     * @throws IllegalStateException within a transaction, which may not see what others commit meanwhile
     * @throws ReconcileException if the database, the application's query or Redis failed; it has what was found until
     *     then
     */
    ReconcileResult reconcile(ReconcileRequest request);
}
