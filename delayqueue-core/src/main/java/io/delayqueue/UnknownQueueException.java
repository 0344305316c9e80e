// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if the named queue is not configured under {@code delayqueue.queues}, so its tasks would never be delivered.
 */
public class UnknownQueueException extends InvalidTaskException {

    public UnknownQueueException(String message) {
        super(message);
    }
}
