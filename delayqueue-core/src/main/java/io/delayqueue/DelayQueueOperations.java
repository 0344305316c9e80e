// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Schedules, cancels and reschedules delayed tasks. A bean; inject it. Thread-safe.
 *
 * <p>Every call blocks until Redis has replied or the command time-out has passed, and returns within half a second
 * after the time-out. {@link #async()} returns the non-blocking operations. When a call returns normally, its effect is
 * stored as durably as the Redis server is configured. Within a transaction {@link TransactionMode} decides when calls
 * are made; {@code find} and lists do not see calls that wait for a commit.
 *
 * <p>With {@link ScheduleRequest.Builder#minReplicas}, or on a queue with {@code min-replicas}, a call returns when
 * that many replicas have the change. If too few replicas have it in time, the call fails with
 * {@link TaskNotReplicatedException}, although the change has taken effect on the master.
 *
 * <p>Bad input fails with an {@link InvalidTaskException} before anything is sent. If Redis does not execute the call,
 * a {@link TaskStoreException} says whether it may have run anyway.
 *
 * <p>Tasks that several threads schedule in one shard at the same time share a script call. No task fails because of
 * another.
 */
public interface DelayQueueOperations {

    /** Schedules a task. */
    ScheduleResult schedule(ScheduleRequest<?> request);

    /**
     * Schedules many tasks with few script calls. Each task is stored atomically; the batch as a whole is not. Requests
     * with the same id are executed in order. The time-out applies to each script call.
     *
     * @param requests all are checked first; one invalid request refuses them all
     * @return one result per request, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    List<ScheduleResult> scheduleAll(Collection<? extends ScheduleRequest<?>> requests);

    /** Cancels a task. */
    CancelOutcome cancel(String queue, String id);

    /**
     * Cancels many tasks. Each task is cancelled atomically; the batch as a whole is not.
     *
     * @param ids all are checked first; one invalid id refuses them all
     * @return the outcome of each id, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    Map<String, CancelOutcome> cancel(String queue, Collection<String> ids);

    /**
     * Cancels the tasks with this id in every configured queue.
     *
     * @return the outcome by queue name
     */
    Map<String, CancelOutcome> cancelEverywhere(String id);

    /**
     * Changes the due time of a task. {@link Due#now()} delivers it at once. If it is in progress, it is delivered
     * again with another task key, after the running delivery or its lease has ended, and the outcome is
     * {@link RescheduleOutcome#IN_FLIGHT}.
     */
    RescheduleOutcome reschedule(String queue, String id, Due due);

    /**
     * Gives many tasks the same due time. A delay starts when each script call runs, unless it waits for a commit.
     *
     * @param ids all are checked first; one invalid id refuses them all
     * @return the outcome of each id, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    Map<String, RescheduleOutcome> reschedule(String queue, Collection<String> ids, Due due);

    /**
     * Gives each of many tasks its own due time.
     *
     * @param due the due time by id; all ids are checked first, and one invalid id refuses them all
     * @return the outcome of each id, in order
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    Map<String, RescheduleOutcome> reschedule(String queue, Map<String, Due> due);

    /**
     * Replaces the payload of a waiting task. The due time, headers, attempts and task key stay; the type becomes that
     * of the new payload ({@link io.delayqueue.annotation.TaskType}). A task in progress is not changed; the outcome is
     * then {@link UpdateOutcome#IN_FLIGHT}.
     *
     * @throws PayloadConversionException if the payload cannot be encoded
     */
    UpdateOutcome updatePayload(String queue, String id, Object payload);

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
     * @throws InvalidTaskException if no task can have such a group
     */
    TaskGroup group(String queue, String group);

    /**
     * Returns the tasks that were scheduled with this {@link ScheduleRequest.Builder#key}.
     *
     * @throws InvalidTaskException if the name is not valid for a key
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
     * Returns operations that use this mode within a transaction, overriding {@code delayqueue.transactions}. The mode
     * also applies to the groups, typed queues and asynchronous operations that they return. Get them once, for example
     * in a constructor: with {@link TransactionMode#OUTBOX} this looks up the outbox and starts its relay.
     *
     * @throws DelayQueueException if the application does not support this mode
     */
    DelayQueueOperations inTransaction(TransactionMode mode);

    /** Returns the non-blocking operations. */
    AsyncDelayQueueOperations async();
}
