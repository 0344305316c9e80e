// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if a call is not allowed in the current transaction:
 *
 * <ul>
 *   <li>in mode {@link TransactionMode#REFUSE}, by every call within a transaction;
 *   <li>in mode {@link TransactionMode#OUTBOX}, if the transaction is read-only or belongs to another {@code
 *     DataSource};
 *   <li>by the inbox, also without a transaction.
 * </ul>
 *
 * <p>Nothing was changed.
 */
public class TransactionMismatchException extends DelayQueueException {

    public TransactionMismatchException(String message) {
        super(message);
    }
}
