// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.concurrent.CompletionStage;

/**
 * A {@link TaskHandler} whose work ends when the returned stage does: then the task is acknowledged or, if the stage
 * failed, tried again. Until then it counts towards the queue's concurrency and its lease is renewed.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface AsyncTaskHandler<T> {

    /** Begins to handle one task. */
    CompletionStage<?> handle(DelayedTask<T> task) throws Exception;
}
