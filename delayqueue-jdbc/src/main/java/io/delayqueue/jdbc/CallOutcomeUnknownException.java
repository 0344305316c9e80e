// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/**
 * Completes the future of a call that takes effect after its transaction has committed, but whose outcome this process
 * does not know: another process executes the call, or a later call for the same task has superseded it.
 */
public class CallOutcomeUnknownException extends DelayQueueException {

    public CallOutcomeUnknownException(String message) {
        super(message);
    }
}
