// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueException;

/** The caller may not do this with this queue, as the {@link QueueAccessResolver} says. Nothing was read or changed. */
public class AccessRefusedException extends DelayQueueException {

    public AccessRefusedException(String message) {
        super(message);
    }
}
