// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/** A message carries no task key, so nothing tells whether it is a duplicate. */
public class MissingTaskKeyException extends DelayQueueException {

    public MissingTaskKeyException(String message) {
        super(message);
    }
}
