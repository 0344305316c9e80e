// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** The named queue is not configured under {@code delayqueue.queues}, so nothing would ever deliver its tasks. */
public class UnknownQueueException extends InvalidTaskException {

    public UnknownQueueException(String message) {
        super(message);
    }
}
