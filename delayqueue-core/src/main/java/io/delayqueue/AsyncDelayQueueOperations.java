// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The non-blocking operations of {@link DelayQueueOperations}. Thread-safe.
 *
 * <p>A call throws only {@link NullPointerException}, for a null argument. Every other failure, including bad input,
 * completes the future with the exception that the blocking call would throw. The exception is not wrapped, and arrives
 * within the time-out of the blocking call. In a transaction that defers calls, the call itself throws exceptions from
 * a codec or the outbox database, so that the transaction rolls back. Otherwise the future completes after the commit.
 *
 * <p>A future completes on a dedicated thread ({@code delayqueue-client-<n>}), never on a thread of the Redis driver.
 * Dependent stages run there, or on the thread that attaches them if the future is already complete. They may call any
 * operation and may block; other calls do not wait for them. Use a separate executor for stages that block often.
 * Completing or cancelling a future has no effect on the call.
 *
 * <p>{@code schedule} calls of one thread for one id keep their order, unless the number of shards changes or the calls
 * require different numbers of replicas. Other calls for one id have no order: chain them as stages.
 *
 * <p>At most {@code delayqueue.redis.request-queue-size} calls and 64 MiB of tasks may await a reply. Further calls
 * fail at once with {@link TaskStoreBusyException}, and nothing is sent. A second limit applies to futures whose
 * dependent stages have not returned: {@code delayqueue.redis.request-queue-size} plus 256.
 */
public interface AsyncDelayQueueOperations {

    /** Schedules a task. */
    CompletableFuture<ScheduleResult> schedule(ScheduleRequest<?> request);

    /** Cancels a task. */
    CompletableFuture<CancelOutcome> cancel(String queue, String id);

    /** Gives a task another due time. */
    CompletableFuture<RescheduleOutcome> reschedule(String queue, String id, Due due);

    /** Gives a waiting task another payload. */
    CompletableFuture<UpdateOutcome> updatePayload(String queue, String id, Object payload);

    /** Returns a task, or empty if the queue has no task with this id. */
    default <T> CompletableFuture<Optional<FoundTask<T>>> find(String queue, String id, Class<T> payloadType) {
        return find(queue, id, ParameterizedTypeReference.forType(payloadType));
    }

    /** Returns a task whose payload is of a generic type. */
    <T> CompletableFuture<Optional<FoundTask<T>>> find(
            String queue, String id, ParameterizedTypeReference<T> payloadType);
}
