// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A call was made within a transaction, and it would not share the transaction's end; where {@code delayqueue.transactions} is
 * {@code refuse} such calls are refused. Nothing was changed.
 */
public class CallWithinTransactionException extends DelayQueueException {

    public CallWithinTransactionException(String message) {
        super(message);
    }
}
