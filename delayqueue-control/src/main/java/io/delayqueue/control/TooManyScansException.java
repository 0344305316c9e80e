// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueException;

/** As many searches through tasks run in this process as may; nothing was read. */
public class TooManyScansException extends DelayQueueException {

    public TooManyScansException(String message) {
        super(message);
    }
}
