// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.concurrent.CompletionStage;

/**
 * A handler whose work ends when the returned stage completes. The task is then acknowledged, or retried if the stage
 * failed. Until then, the task counts towards the queue's concurrency, and its lease is renewed. Interrupts have the
 * same meaning as for a {@link TaskHandler}.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface AsyncTaskHandler<T> {

    /** Starts to handle a task. */
    CompletionStage<?> handle(DelayedTask<T> task) throws Exception;
}
