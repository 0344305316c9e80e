// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;

/** Thrown if this process is running its maximum number of operations. Nothing was started. */
public class TooManyOperationsException extends DelayQueueException {

    public TooManyOperationsException(String message) {
        super(message);
    }
}
