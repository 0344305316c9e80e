// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Thrown if a request was rejected before anything was sent to Redis. Repeating the same request cannot succeed. */
public class InvalidTaskException extends DelayQueueException {

    public InvalidTaskException(String message) {
        super(message);
    }

    public InvalidTaskException(String message, Throwable cause) {
        super(message, cause);
    }
}
