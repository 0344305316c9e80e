// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Thrown if a request was rejected before anything was sent to Redis. Sending it again unchanged cannot succeed. */
public class InvalidTaskException extends DelayQueueException {

    protected InvalidTaskException(String message) {
        super(message);
    }

    protected InvalidTaskException(String message, Throwable cause) {
        super(message, cause);
    }
}
