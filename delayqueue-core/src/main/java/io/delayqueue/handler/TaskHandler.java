// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/**
 * Application code that handles due tasks of one queue.
 *
 * <p>Called on application threads, with the queue's concurrency. When it returns, the task is acknowledged. When it
 * throws, the task is retried after a back-off, or becomes dead if no attempts remain, unless the exception implements
 * {@link RetryHint} and decides otherwise. The lease is renewed while it runs. A task may be delivered more than once,
 * so handling must be idempotent.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface TaskHandler<T> {

    /**
     * Handles one task. An interrupt means that the application is stopping or that the time limit has passed: return
     * soon, and the task will be retried.
     */
    void handle(DelayedTask<T> task) throws Exception;
}
