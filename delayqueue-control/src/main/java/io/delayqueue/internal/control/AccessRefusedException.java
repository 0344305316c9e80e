// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.control.QueueAccessResolver;

/**
 * Thrown if the {@link QueueAccessResolver} does not allow the caller to make this call. Nothing was read or changed.
 */
public class AccessRefusedException extends DelayQueueException {

    public AccessRefusedException(String message) {
        super(message);
    }
}
