// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Schedules, cancels and reschedules delayed tasks. Safe for use by many threads.
 *
 * <p>Every call blocks until Redis has answered or the command time-out has passed, and returns within half a second after
 * the time-out. {@link #async()} has the calls that do not block. When a call returns normally, its effect is stored as
 * durably as the Redis server is configured to. A call with {@link ScheduleRequest.Builder#minReplicas}, or on a queue with
 * {@code min-replicas}, returns when that many replicas have the change. Otherwise it fails with
 * {@link TaskNotReplicatedException}, although the change has taken effect on the master.
 *
 * <p>Bad input fails with an {@link InvalidTaskException} before anything is sent. If Redis does not carry out the call, a
 * {@link TaskStoreException} says whether it may have run all the same.
 *
 * <p>Tasks that several threads schedule in one shard at the same time share a script call. No task fails because of
 * another.
 */
public interface DelayQueueOperations {

    /** Schedules a task. */
    ScheduleResult schedule(ScheduleRequest<?> request);

    /**
     * Schedules many tasks with few script calls. Each task is stored atomically, the whole batch is not. Several requests
     * with one id are carried out in their order. The time-out holds for each script call.
     *
     * @param requests all are checked first; one bad request refuses them all
     * @return one result per request, in their order
     * @throws BatchFailedException if Redis did not store all of them for certain, with the outcome of each
     */
    List<ScheduleResult> scheduleAll(Collection<? extends ScheduleRequest<?>> requests);

    /**
     * Schedules up to 500 tasks of one queue, and of one key or one group without a key, all of them or none, in one script
     * call. If the conflict policy of one request keeps the task that the queue has under its id, nothing is stored: with
     * {@link ConflictPolicy#KEEP} an id that is waiting, in progress or dead refuses the whole batch. You can repeat the call
     * with the same request objects.
     *
     * <p>While the number of shards of the queue is being changed, the call waits for that to end, up to the command
     * time-out.
     *
     * @return one result per request, in their order
     * @throws BatchRefusedException if the queue keeps one of the ids, so that nothing is stored
     * @throws TaskNotReplicatedException if too few replicas have one of the tasks; all are stored on the master
     * @throws CallWithinTransactionException within a transaction that defers calls ({@link TransactionMode}),
     *     because the outcome is not known before the commit
     * @throws InvalidBatchException if there are too many tasks, two of one id, several queues, or tasks that may be in several
     *     shards
     */
    List<ScheduleResult> scheduleTogether(Collection<? extends ScheduleRequest<?>> requests);

    /** Cancels a task. */
    CancelOutcome cancel(String queue, String id);

    /**
     * Cancels a task and stops its handler if one runs, in whatever process. The handler's {@link
     * io.delayqueue.handler.TaskLease#isLost() lease is lost}, its thread is interrupted, and asynchronous work of it is
     * cancelled. The request travels over the wake channel of Redis. A handler that takes batches only loses its lease, and a
     * delivery to RabbitMQ goes on.
     *
     * <p>Within a transaction that defers calls, the cancel is deferred like any other, and no handler is stopped.
     *
     * @param patience how long to wait for the handler to end; blocks for as long, at most
     * @return what {@link #cancel(String, String)} returns, or {@link CancelOutcome#INTERRUPTED} instead of {@link
     *     CancelOutcome#IN_FLIGHT} if the process of the handler has answered that it has ended
     */
    CancelOutcome cancelAndInterrupt(String queue, String id, Duration patience);

    /**
     * Cancels many tasks. Each is cancelled atomically, the whole batch is not.
     *
     * @param ids all are checked first; one bad id refuses them all
     * @return the outcome of each id, in their order
     * @throws BatchFailedException if Redis did not answer for all of them, with the outcome of each
     */
    Map<String, CancelOutcome> cancel(String queue, Collection<String> ids);

    /**
     * Cancels the tasks of this id in every configured queue.
     *
     * @return the outcome by queue name
     */
    Map<String, CancelOutcome> cancelEverywhere(String id);

    /**
     * Gives a task another due time. {@link Due#now()} delivers it at once; if it is in progress, this starts a second
     * delivery beside the running one, under another task key, and the outcome is {@link RescheduleOutcome#IN_FLIGHT}.
     */
    RescheduleOutcome reschedule(String queue, String id, Due due);

    /**
     * Gives many tasks another due time. A delay counts from when each call runs.
     *
     * @param ids all are checked first; one bad id refuses them all
     * @return the outcome of each id, in their order
     * @throws BatchFailedException if Redis did not answer for all of them, with the outcome of each
     */
    Map<String, RescheduleOutcome> reschedule(String queue, Collection<String> ids, Due due);

    /**
     * Gives many tasks a due time each.
     *
     * @param due the due time by id; all ids are checked first, and one bad id refuses them all
     * @return the outcome of each id, in their order
     * @throws BatchFailedException if Redis did not answer for all of them, with the outcome of each
     */
    Map<String, RescheduleOutcome> reschedule(String queue, Map<String, Due> due);

    /**
     * Gives a waiting task another payload. The due time, headers, attempts and task key stay; the type becomes that of the
     * new payload ({@link io.delayqueue.annotation.TaskType}). A task in progress stays as it is, as the outcome says.
     *
     * @throws PayloadConversionException if the payload cannot be encoded
     */
    UpdateOutcome updatePayload(String queue, String id, Object payload);

    /** Returns a task with its payload as stored, or empty if the queue has no task of this id. */
    default Optional<FoundTask<EncodedPayload>> find(String queue, String id) {
        return find(queue, id, EncodedPayload.class);
    }

    /**
     * Returns a task, or empty if the queue has no task of this id.
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
     * @throws InvalidTaskIdException if no task can have such a group
     */
    TaskGroup group(String queue, String group);

    /**
     * Returns the tasks that were scheduled with this {@link ScheduleRequest.Builder#key}.
     *
     * @throws InvalidTaskIdException if no task can have such a key
     */
    KeyedQueue key(String queue, String key);

    /** Returns the operations on one queue with one type of payload. */
    default <T> TypedQueue<T> queue(String queue, Class<T> payloadType) {
        return queue(queue, ParameterizedTypeReference.forType(payloadType));
    }

    /** Returns the operations on one queue whose payloads are of a generic type, such as a {@code List<OrderLine>}. */
    <T> TypedQueue<T> queue(String queue, ParameterizedTypeReference<T> payloadType);

    /**
     * Returns the same operations, whose calls within a transaction are made as this mode says, whatever
     * {@code delayqueue.transactions} says. The mode holds for what these operations return, too: groups, typed queues and
     * asynchronous calls. Get them once, such as in a constructor: with {@link TransactionMode#OUTBOX} this looks for the
     * outbox and starts its relay.
     *
     * @throws DelayQueueException if the application cannot work in this mode
     */
    DelayQueueOperations inTransaction(TransactionMode mode);

    /** Returns the operations that do not block. */
    AsyncDelayQueueOperations async();
}
