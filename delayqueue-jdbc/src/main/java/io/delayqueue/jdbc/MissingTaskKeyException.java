// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/** Thrown if a message carries no task key, so a duplicate cannot be recognized. */
public class MissingTaskKeyException extends DelayQueueException {

    public MissingTaskKeyException(String message) {
        super(message);
    }
}
