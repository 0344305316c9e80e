// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/**
 * Thrown if a call made within a transaction took effect after the commit but its outcome is unknown to the caller:
 * another process executes it, or a later call for the same task superseded it.
 */
public class CallOutcomeUnknownException extends DelayQueueException {

    public CallOutcomeUnknownException(String message) {
        super(message);
    }
}
