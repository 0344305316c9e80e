// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/**
 * Exception with which the future of a call completes if this process does not know the outcome. The transaction has
 * committed and the call takes effect, but another process executes it, or a later call for the same task has superseded
 * it.
 */
public class CallOutcomeUnknownException extends DelayQueueException {

    public CallOutcomeUnknownException(String message) {
        super(message);
    }
}
