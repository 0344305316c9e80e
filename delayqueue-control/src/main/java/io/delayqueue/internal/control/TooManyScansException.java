// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;

/** Thrown if this process is running its maximum number of task searches. Nothing was read. */
public class TooManyScansException extends DelayQueueException {

    public TooManyScansException(String message) {
        super(message);
    }
}
