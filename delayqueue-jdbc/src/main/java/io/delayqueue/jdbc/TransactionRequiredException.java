// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/**
 * What was asked for is only of use within a transaction that may write to the delay queue's {@code DataSource}: there
 * is none, it is read-only, or it is another DataSource's. Nothing was written.
 */
public class TransactionRequiredException extends DelayQueueException {

    public TransactionRequiredException(String message) {
        super(message);
    }
}
