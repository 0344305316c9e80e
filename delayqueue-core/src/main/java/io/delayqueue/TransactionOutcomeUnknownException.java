// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if it is unknown whether a transaction has committed, for example because the connection broke during the
 * commit. Calls that were kept in memory until the commit have not been sent: check the database, and repeat the calls
 * if it contains the transaction's changes. Calls in an outbox are sent if the transaction has committed.
 */
public class TransactionOutcomeUnknownException extends DelayQueueException {

    public TransactionOutcomeUnknownException(String message) {
        super(message);
    }
}
