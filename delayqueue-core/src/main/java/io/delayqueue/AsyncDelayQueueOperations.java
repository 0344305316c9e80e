// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The operations of {@link DelayQueueOperations} that do not block. Safe for use by many threads.
 *
 * <p>A call throws only {@link NullPointerException}, for an argument that is null. Every other failure, bad input too,
 * completes the future with the exception that the blocking call would throw, not wrapped, and within the same time. In a
 * transaction that defers calls, exceptions of a codec or of the outbox's database are thrown, so that the transaction
 * rolls back; the future completes after the commit.
 *
 * <p>A future completes on a thread that does nothing else ({@code delayqueue-client-<n>}), never on a thread of the Redis
 * driver. Dependent stages run there, or on the thread that attaches them if the future has completed. They may call any
 * operation and may block: other calls do not wait for them. Give stages that block often an executor of their own.
 * Completing or cancelling a future has no effect on the call.
 *
 * <p>{@code schedule} calls of one thread for one id keep their order, unless the number of shards changes meanwhile or they
 * ask for different numbers of replicas. Other calls for one id have no order: make each in a stage behind the one before.
 *
 * <p>At most {@code delayqueue.redis.request-queue-size} calls, and 64 MiB of tasks, may be unanswered. One more fails at
 * once with {@link TaskStoreBusyException}, and nothing is sent. The same holds for 256 more futures whose dependent stages
 * have not returned.
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

    /** Returns a task, or empty if the queue has no task of this id. */
    default <T> CompletableFuture<Optional<FoundTask<T>>> find(String queue, String id, Class<T> payloadType) {
        return find(queue, id, ParameterizedTypeReference.forType(payloadType));
    }

    /** Returns a task whose payload is of a generic type. */
    <T> CompletableFuture<Optional<FoundTask<T>>> find(
            String queue, String id, ParameterizedTypeReference<T> payloadType);
}
