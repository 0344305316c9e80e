// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything this library throws. Messages name the queue and the id and say what to do; they never show a
 * payload or a secret.
 */
public class DelayQueueException extends RuntimeException {

    public DelayQueueException(String message) {
        super(message);
    }

    public DelayQueueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
