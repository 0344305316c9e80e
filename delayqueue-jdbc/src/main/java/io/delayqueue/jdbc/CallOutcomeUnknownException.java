// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/**
 * Thrown if a call within a transaction takes effect after the commit, but this process does not know its outcome:
 * another process executes the call, or a later call for the same task has superseded it.
 */
public class CallOutcomeUnknownException extends DelayQueueException {

    public CallOutcomeUnknownException(String message) {
        super(message);
    }
}
