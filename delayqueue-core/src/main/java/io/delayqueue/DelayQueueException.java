// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * Root of the exceptions of this library. Messages name the queue and the id and say how to resolve the problem. They
 * never contain a payload or a secret.
 */
public class DelayQueueException extends RuntimeException {

    public DelayQueueException(String message) {
        super(message);
    }

    public DelayQueueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
