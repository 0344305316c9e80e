// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Exception with which the future of a call completes if its transaction was rolled back, entirely or to a savepoint
 * before the call. Nothing was changed.
 */
public class TransactionRolledBackException extends DelayQueueException {

    public TransactionRolledBackException(String message) {
        super(message);
    }
}
