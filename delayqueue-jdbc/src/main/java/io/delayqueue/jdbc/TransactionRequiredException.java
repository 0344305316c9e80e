// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/**
 * Thrown if a call needs a writable transaction of the delay queue's {@code DataSource}, but there is none, it is
 * read-only, or it belongs to another DataSource. Nothing was written.
 */
public class TransactionRequiredException extends DelayQueueException {

    public TransactionRequiredException(String message) {
        super(message);
    }
}
