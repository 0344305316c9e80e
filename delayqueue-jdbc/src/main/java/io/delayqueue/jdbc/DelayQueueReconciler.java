// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

/**
 * Compares a queue with the tasks that the application's database expects in it, and repairs the differences on
 * request. It covers what no outbox can prevent: data loss in Redis, tasks that an operator purged or cancelled, and
 * database rows written without the application.
 *
 * <p>The two stores are read one after the other, so a first difference may be transient. It counts only if it still
 * exists after {@link ReconcileRequest.Builder#settle} in a second comparison. Each repair is a separate transaction
 * through the outbox. It first writes the change, which locks the task's outbox row. It then asks the application again
 * and rolls back if the answer has changed. A concurrent transaction that schedules or cancels the same task through
 * the outbox therefore either committed before and is seen, or commits later and wins. A run never cancels a task that
 * was scheduled while it was searching for left-over tasks.
 *
 * <p>Direct changes to Redis ({@code delayqueue.transactions: immediate}) take no lock. If they are made in a
 * transaction that is longer than {@code settle}, a run may mistake them for a difference. Repair
 * {@link ReconcileDifference.Kind#LEFT_OVER} only in queues that are written through the outbox.
 *
 * <p>A task does not count as missing while it is in progress, nor for {@link ReconcileRequest.Builder#handedOver}
 * after its due time, because its message may still wait in RabbitMQ. A missing task is scheduled with the policy
 * {@link io.delayqueue.ConflictPolicy#KEEP}. It is a new task with a new task key, so consumers must check the state of
 * the order as usual. Dead tasks are only reported.
 *
 * <p>Thread-safe. Two concurrent runs find the same differences and repair them twice without harm.
 */
public interface DelayQueueReconciler {

    /**
     * Compares on the calling thread at the requested rate. Ends early if the thread is interrupted.
     *
     * @return the findings
     * @throws IllegalStateException within a transaction, which may not see concurrent commits
     * @throws ReconcileException if the database, the application's query or Redis fails; contains the findings so far
     */
    ReconcileResult reconcile(ReconcileRequest request);
}
