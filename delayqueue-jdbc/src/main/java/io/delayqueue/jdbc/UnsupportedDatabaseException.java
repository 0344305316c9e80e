// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/** The {@code DataSource} is that of a database on which the outbox does not run. */
public class UnsupportedDatabaseException extends DelayQueueException {

    public UnsupportedDatabaseException(String message) {
        super(message);
    }
}
