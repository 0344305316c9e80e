// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The non-blocking operations of a {@link TypedQueue}. {@link AsyncDelayQueueOperations} describes how futures complete
 * and fail.
 *
 * @param <T> the payload type
 */
public interface AsyncTypedQueue<T> {

    /** Schedules a task under a new id, which the result contains. */
    CompletableFuture<ScheduleResult> schedule(T payload, Due due);

    /** Schedules a task under your own id. Replaces an existing task with this id. */
    CompletableFuture<ScheduleResult> schedule(String id, T payload, Due due);

    /** Schedules a task. A request for another queue fails with {@link InvalidTaskException}. */
    CompletableFuture<ScheduleResult> schedule(ScheduleRequest<T> request);

    CompletableFuture<CancelOutcome> cancel(String id);

    CompletableFuture<RescheduleOutcome> reschedule(String id, Due due);

    CompletableFuture<UpdateOutcome> updatePayload(String id, T payload);

    CompletableFuture<Optional<FoundTask<T>>> find(String id);
}
