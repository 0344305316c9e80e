// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * The failure of the stage of a call within a transaction that was rolled back, entirely or to a savepoint before the
 * call. Nothing was changed.
 */
public class TransactionRolledBackException extends DelayQueueException {

    public TransactionRolledBackException(String message) {
        super(message);
    }
}
