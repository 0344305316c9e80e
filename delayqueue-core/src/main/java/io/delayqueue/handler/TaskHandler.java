// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/**
 * Code of the application that takes due tasks of one queue.
 *
 * <p>Called on an application thread, by as many threads at once as the queue's concurrency says. When it returns, the
 * task is acknowledged. When it throws, the task is tried again after a back-off, or is dead when it is out of
 * attempts; an exception that implements {@link RetryHint} decides otherwise. Its lease is renewed while it runs. A
 * task may come more than once, so handling has to bear that.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface TaskHandler<T> {

    /**
     * Handles one task. An interrupt means that the application stops, or that the time limit is over: end soon, the
     * task comes again.
     */
    void handle(DelayedTask<T> task) throws Exception;
}
