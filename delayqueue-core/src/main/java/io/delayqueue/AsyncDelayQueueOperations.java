// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The non-blocking operations of {@link DelayQueueOperations}. Thread-safe.
 *
 * <p>A null argument throws a {@link NullPointerException}. Every other failure, including bad input, completes the
 * future with the unwrapped exception that the blocking call would throw, within the same time-out. In a transaction
 * that defers calls, the future completes after the commit. Exceptions from a codec or the outbox database are then
 * thrown by the call itself, so that the transaction rolls back.
 *
 * <p>A future completes on a dedicated thread ({@code delayqueue-client-<n>}), never on a thread of the Redis driver.
 * Dependent stages run on that thread, or on the attaching thread if the future is already complete. They may call any
 * operation and may block, without delaying other calls. Use a separate executor for stages that block often.
 * Completing or cancelling a future has no effect on the call.
 *
 * <p>{@code schedule} calls from one thread for the same id are executed in order, unless the number of shards changes
 * or the calls require different numbers of replicas. Other calls for the same id have no guaranteed order: chain them
 * as stages.
 *
 * <p>At most {@code delayqueue.redis.request-queue-size} calls and 64 MiB of tasks may await a reply. Further calls
 * fail at once with {@link TaskStoreBusyException}, and nothing is sent. A second limit of {@code
 * delayqueue.redis.request-queue-size} plus 256 applies to futures whose dependent stages are still running.
 */
public interface AsyncDelayQueueOperations {

    /** Schedules a task. */
    CompletableFuture<ScheduleResult> schedule(ScheduleRequest<?> request);

    /** Cancels a task. */
    CompletableFuture<CancelOutcome> cancel(String queue, String id);

    /** Changes the due time of a task. */
    CompletableFuture<RescheduleOutcome> reschedule(String queue, String id, Due due);

    /** Replaces the payload of a waiting task. */
    default CompletableFuture<UpdateOutcome> updatePayload(String queue, String id, Object payload) {
        return update(queue, id, Objects.requireNonNull(payload), Map.of());
    }

    /** Changes the payload, the headers or both of a waiting task; see {@link DelayQueueOperations#update}. */
    CompletableFuture<UpdateOutcome> update(
            String queue, String id, @Nullable Object payload, Map<String, String> headers);

    /** Returns a task, or empty if the queue has no task with this id. */
    default <T> CompletableFuture<Optional<FoundTask<T>>> find(String queue, String id, Class<T> payloadType) {
        return find(queue, id, ParameterizedTypeReference.forType(payloadType));
    }

    /** Returns a task whose payload is of a generic type. */
    <T> CompletableFuture<Optional<FoundTask<T>>> find(
            String queue, String id, ParameterizedTypeReference<T> payloadType);
}
