// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A call was made within a transaction that was rolled back, or rolled back to a savepoint before the call. Nothing was changed.
 * What the stage of such a call fails with.
 */
public class TransactionRolledBackException extends DelayQueueException {

    public TransactionRolledBackException(String message) {
        super(message);
    }
}
