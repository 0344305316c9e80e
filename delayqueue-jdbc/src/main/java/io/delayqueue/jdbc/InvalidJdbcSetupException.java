// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/** The application must not start as {@code delayqueue.jdbc} is set up. Says why and what to do. */
public class InvalidJdbcSetupException extends DelayQueueException {

    public InvalidJdbcSetupException(String message) {
        super(message);
    }
}
