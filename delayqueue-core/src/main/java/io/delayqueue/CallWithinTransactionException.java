// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if a call within a transaction would not share its outcome and {@code delayqueue.transactions} is
 * {@code refuse}. Nothing was changed.
 */
public class CallWithinTransactionException extends DelayQueueException {

    public CallWithinTransactionException(String message) {
        super(message);
    }
}
