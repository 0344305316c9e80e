// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Schedules, cancels and reschedules delayed tasks. Inject this bean into your code. Thread-safe.
 *
 * <p>Every call blocks until Redis has replied, or fails at most half a second after the command time-out. {@link
 * #async()} returns the non-blocking operations. When a call returns normally, its change is stored, with the
 * durability that the Redis server is configured for. Within a transaction, {@link TransactionMode} decides when calls
 * are made; {@code find} and lists do not include calls that wait for a commit.
 *
 * <p>With {@link ScheduleRequest.Builder#minReplicas}, or on a queue with {@code min-replicas}, a call returns when
 * that many replicas have confirmed the change. If too few confirm in time, the call fails with {@link
 * TaskNotReplicatedException}, although the change has taken effect on the master.
 *
 * <p>Bad input fails with an {@link InvalidTaskException} before anything is sent. If Redis does not confirm a call, it
 * fails with a {@link TaskStoreException}, which tells whether the call may have been executed.
 *
 * <p>Tasks that several threads schedule in the same shard at the same time share a script call. A failure of one task
 * does not affect the others.
 */
public interface DelayQueueOperations {

    /** Schedules a task. */
    ScheduleResult schedule(ScheduleRequest<?> request);

    /**
     * Schedules many tasks with few script calls. Each task is stored atomically; the batch as a whole is not. Requests
     * with the same id are executed in order. The time-out applies to each script call separately.
     *
     * @param requests the requests; all are validated first, and if one is invalid, none is sent
     * @return one result per request, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    List<ScheduleResult> scheduleAll(Collection<? extends ScheduleRequest<?>> requests);

    /** Cancels a task. */
    CancelOutcome cancel(String queue, String id);

    /**
     * Cancels a task and stops its handler if it is running, in any process. The handler's
     * {@link io.delayqueue.handler.TaskLease#isLost() lease is lost}, its thread is interrupted, and its asynchronous
     * work is cancelled. The request is sent on the wake channel of Redis. A batch handler only loses its lease, and a
     * delivery to RabbitMQ continues.
     *
     * <p>Within a transaction that defers calls, the cancel is deferred like any other, and no handler is stopped.
     *
     * @param patience maximum time to wait for the handler to end; the call blocks that long
     * @return the same as {@link #cancel(String, String)}, or {@link CancelOutcome#INTERRUPTED} instead of
     *     {@link CancelOutcome#IN_FLIGHT} if the process with the lease has replied that its handler has ended. An
     *     earlier delivery that lost its lease may still run
     */
    CancelOutcome cancelAndInterrupt(String queue, String id, Duration patience);

    /**
     * Cancels many tasks. Each task is cancelled atomically; the batch as a whole is not.
     *
     * @param ids all are checked first; one invalid id refuses them all
     * @return the outcome of each id, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    Map<String, CancelOutcome> cancel(String queue, Collection<String> ids);

    /**
     * Cancels the tasks with this id in every configured queue. If the call fails for a queue, still calls the others,
     * and then throws the first exception, which has the other ones as {@linkplain Throwable#getSuppressed suppressed
     * exceptions}. An exception describes the call of its own queue only.
     *
     * @return the outcome by queue name
     */
    Map<String, CancelOutcome> cancelEverywhere(String id);

    /**
     * Changes the due time of a task. {@link Due#now()} delivers the task at once. If a delivery is in progress, the
     * outcome is {@link RescheduleOutcome#IN_FLIGHT}: the task is delivered again, with another task key, after that
     * delivery or its lease has ended.
     */
    RescheduleOutcome reschedule(String queue, String id, Due due);

    /**
     * Changes the due times of many tasks to the same due time. A delay starts when each script call runs, unless the
     * call waits for a commit.
     *
     * @param ids all are checked first; one invalid id refuses them all
     * @return the outcome of each id, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    Map<String, RescheduleOutcome> reschedule(String queue, Collection<String> ids, Due due);

    /**
     * Changes the due times of many tasks.
     *
     * @param due the due time by id; all ids are checked first, and one invalid id refuses them all
     * @return the outcome of each id, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    Map<String, RescheduleOutcome> reschedule(String queue, Map<String, Due> due);

    /**
     * Replaces the payload of a waiting task. Keeps the headers.
     *
     * @throws PayloadConversionException if the payload cannot be encoded
     * @see #update
     */
    default UpdateOutcome updatePayload(String queue, String id, Object payload) {
        return update(queue, id, Objects.requireNonNull(payload), Map.of());
    }

    /**
     * Changes the payload, the headers or both of a waiting task. Keeps the due time, all other headers, attempts and
     * task key. A new payload also sets the task's type ({@link io.delayqueue.annotation.TaskType}) and version. Does
     * not change a task in progress; the outcome is then {@link UpdateOutcome#IN_FLIGHT}.
     *
     * <p>Redis adds up the new and the stored headers. If a transaction defers the call, a sum above the limit is an
     * error only after the commit, and the outbox rejects the update.
     *
     * @param payload the new payload; {@code null} to keep the payload
     * @param headers headers to set; an empty value removes the header
     * @throws PayloadConversionException if the payload cannot be encoded
     * @throws InvalidTaskException if a header is invalid as in a {@link ScheduleRequest}, or if the headers of the task
     *     would exceed {@code delayqueue.max-header-size}; nothing was changed
     */
    UpdateOutcome update(String queue, String id, @Nullable Object payload, Map<String, String> headers);

    /** Returns a task with its payload as stored, or empty if the queue has no task with this id. */
    default Optional<FoundTask<EncodedPayload>> find(String queue, String id) {
        return find(queue, id, EncodedPayload.class);
    }

    /**
     * Returns a task, or empty if the queue has no task with this id.
     *
     * @param payloadType the type to decode the payload to; {@code byte[].class} for the stored bytes
     * @throws PayloadConversionException if the payload cannot be decoded to that type
     */
    default <T> Optional<FoundTask<T>> find(String queue, String id, Class<T> payloadType) {
        return find(queue, id, ParameterizedTypeReference.forType(payloadType));
    }

    /** Returns a task whose payload is of a generic type, such as a {@code List<OrderLine>}. */
    <T> Optional<FoundTask<T>> find(String queue, String id, ParameterizedTypeReference<T> payloadType);

    /**
     * Returns the tasks that were scheduled with this {@link ScheduleRequest.Builder#group} and without a key.
     *
     * @throws InvalidTaskException if the group is invalid
     */
    TaskGroup group(String queue, String group);

    /**
     * Returns the tasks that were scheduled with this {@link ScheduleRequest.Builder#key}.
     *
     * @throws InvalidTaskException if the key is invalid
     */
    KeyedQueue key(String queue, String key);

    /** Returns the operations on one queue with one payload type. */
    default <T> TypedQueue<T> queue(String queue, Class<T> payloadType) {
        return queue(queue, ParameterizedTypeReference.forType(payloadType));
    }

    /** Returns the operations on one queue whose payloads are of a generic type, such as a {@code List<OrderLine>}. */
    default <T> TypedQueue<T> queue(String queue, ParameterizedTypeReference<T> payloadType) {
        return new TypedQueue<>(this, queue, payloadType);
    }

    /**
     * Returns operations that use this mode within transactions, overriding {@code delayqueue.transactions}. The mode
     * also applies to groups, typed queues and asynchronous operations obtained from them. Call this once, for example
     * in a constructor: for {@link TransactionMode#OUTBOX} it looks up the outbox and starts its relay.
     *
     * @throws DelayQueueException if the application does not support this mode
     */
    DelayQueueOperations inTransaction(TransactionMode mode);

    /** Returns the non-blocking operations. */
    AsyncDelayQueueOperations async();
}
