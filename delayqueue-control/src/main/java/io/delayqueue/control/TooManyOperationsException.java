// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueException;

/** As many operations run in this process as may; nothing was begun. */
public class TooManyOperationsException extends DelayQueueException {

    public TooManyOperationsException(String message) {
        super(message);
    }
}
