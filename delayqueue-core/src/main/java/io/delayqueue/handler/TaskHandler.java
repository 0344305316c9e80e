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
 * <p>An interrupt means that the application is stopping, that the time limit has passed, or that the task was
 * cancelled with an interrupt. End soon <em>with an exception</em>, for example the {@link InterruptedException}: the
 * task is then retried, or dead if its queue begins tasks at most once. A handler that returns normally during a stop
 * has handled the task. After the time limit the attempt has failed in any case.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface TaskHandler<T> {

    /** Handles one task. */
    void handle(DelayedTask<T> task) throws Exception;
}
