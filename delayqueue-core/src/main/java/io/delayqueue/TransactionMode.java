// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Defines when calls within a transaction are made. Set it for the application with {@code delayqueue.transactions}, or
 * for individual calls with {@link DelayQueueOperations#inTransaction}. Outside a transaction, calls are made at once
 * in every mode, even if you forgot {@code @Transactional}. Reactive transactions are not supported: if an application
 * has only a reactive transaction manager, it fails to start with any mode except {@link #IMMEDIATE}. Calls of {@link
 * io.delayqueue.admin.DelayQueueAdmin} are never deferred.
 */
public enum TransactionMode {
    /** Calls are made at once and remain in effect if the transaction rolls back. The default. */
    IMMEDIATE,
    /**
     * Calls are kept in memory and made after the commit. A crash in between loses them. A delay starts after the
     * commit. If a call fails, a {@link DeferredCallFailed} event is published.
     */
    AFTER_COMMIT,
    /**
     * Calls are stored in a table of the transaction's database and made after the commit. Requires delayqueue-jdbc. A
     * delay starts with your call, by this process's clock. Calls throw {@link TransactionMismatchException} in a
     * transaction that is read-only or belongs to another {@code DataSource}, and Spring's {@code DataAccessException}
     * if the database fails.
     */
    OUTBOX,
    /** Calls throw {@link TransactionMismatchException}. */
    REFUSE
}
