// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/**
 * A call that was made within a transaction is in force with its commit, but nobody will learn of its own outcome:
 * another process carries it out, or a later call for the same task has made it superfluous.
 */
public class CallOutcomeUnknownException extends DelayQueueException {

    public CallOutcomeUnknownException(String message) {
        super(message);
    }
}
