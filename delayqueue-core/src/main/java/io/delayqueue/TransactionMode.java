// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Decides when a call within a transaction is made. {@code delayqueue.transactions} sets it for the application, {@link
 * DelayQueueOperations#inTransaction} for single calls. Calls outside a transaction are made at once in every mode.
 */
public enum TransactionMode {
    /** Calls are made at once and remain in effect if the transaction rolls back. */
    IMMEDIATE,
    /** Calls are kept in memory and made after the commit. A crash in between loses them. */
    AFTER_COMMIT,
    /**
     * Calls are stored in a table of the transaction's database and made after the commit. Requires delayqueue-jdbc.
     */
    OUTBOX,
    /** Calls throw {@link CallWithinTransactionException}. */
    REFUSE
}
