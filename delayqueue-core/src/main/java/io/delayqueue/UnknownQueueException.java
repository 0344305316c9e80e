// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if the named queue is not configured under {@code delayqueue.queues}, so that nothing would deliver its tasks.
 */
public class UnknownQueueException extends InvalidTaskException {

    public UnknownQueueException(String message) {
        super(message);
    }
}
