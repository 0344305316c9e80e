// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Decides when a call within a transaction is made. {@code delayqueue.transactions} sets it for the application,
 * {@link DelayQueueOperations#inTransaction} for single calls. Calls outside a transaction are made at once in every
 * mode, even if you forgot {@code @Transactional}. Reactive transactions are not recognized: if an application has only
 * a reactive transaction manager, every mode but {@link #IMMEDIATE} fails the start. Calls of {@link
 * io.delayqueue.admin.DelayQueueAdmin} never wait.
 */
public enum TransactionMode {
    /** Calls are made at once and remain in effect if the transaction rolls back. The default. */
    IMMEDIATE,
    /**
     * Calls are kept in memory and made after the commit. A crash in between loses them. A delay starts with that call.
     * A call that fails then publishes {@link DeferredCallFailed}.
     */
    AFTER_COMMIT,
    /**
     * Calls are stored in a table of the transaction's database and made after the commit. Requires delayqueue-jdbc. A
     * delay starts when you call, by this process's clock. Calls throw {@link TransactionMismatchException} in a
     * transaction that is read-only or belongs to another {@code DataSource}, and Spring's {@code DataAccessException}
     * if the database fails.
     */
    OUTBOX,
    /** Calls throw {@link TransactionMismatchException}. */
    REFUSE
}
