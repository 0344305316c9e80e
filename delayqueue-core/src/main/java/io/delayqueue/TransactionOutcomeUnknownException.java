// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A call was to be made when a transaction had committed, but whether it has cannot be known, as with a connection that breaks
 * during the commit. Where calls wait in memory it was not made: look into the database, and make it again if the transaction's
 * changes are there. One that was written into an outbox will be made if the transaction has committed.
 */
public class TransactionOutcomeUnknownException extends DelayQueueException {

    public TransactionOutcomeUnknownException(String message) {
        super(message);
    }
}
