// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/**
 * Application code that handles due tasks of one queue.
 *
 * <p>Called on application threads, with the queue's concurrency. When the handler returns, the task is acknowledged.
 * When it throws, the task is retried after a back-off, or becomes dead if no attempts remain. An exception that
 * implements {@link RetryHint} can decide otherwise. The lease is renewed while the handler runs. A task may be
 * delivered more than once, so handlers must be idempotent.
 *
 * <p>An interrupt means that the application is stopping, that the time limit has passed, or that the task was
 * cancelled with an interrupt. End soon <em>with an exception</em>, for example the {@link InterruptedException}. The
 * task is then retried, or becomes dead if its queue starts handlers at most once. If a handler returns normally during
 * a stop, the task is acknowledged. After the time limit, the attempt fails in any case.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface TaskHandler<T> {

    /** Handles one task. */
    void handle(DelayedTask<T> task) throws Exception;
}
