// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Schedule, cancel and reschedule delayed tasks. Safe for use by many threads; every call blocks until Redis has
 * answered or the command time-out has passed, but for those that return a stage. A call ends within half a second
 * after the time-out by a limit of its own, whatever the other threads of the process do.
 *
 * <p>When a call returns normally its effect is stored, subject to the durability that the Redis server is set up for.
 * A call that asks for replicas ({@link ScheduleRequest.Builder#replicas}, or the queue's setting, which holds for
 * cancelling and rescheduling too) returns when so many of them have it, and fails with {@link
 * TaskNotReplicatedException} if they do not in time, although it has taken effect.
 *
 * <p>Bad input is refused with an {@link InvalidTaskException} before anything is sent. When Redis does not carry out
 * the call, a {@link TaskStoreException} says whether it may nevertheless have run.
 *
 * <p>Tasks that several threads schedule at the same time in one shard travel together; that costs a lone caller
 * nothing, and no task fails because of another.
 *
 * <h2>Asynchronous calls</h2>
 *
 * They do not block and throw nothing but {@link NullPointerException} for an argument that is null. Bad input, too, and
 * whatever a codec throws come as the failure of the stage: it fails with the exception that the blocking call would
 * throw, not wrapped, and within the same time. In a transaction that the call takes part in, what a codec or the outbox's
 * database throws is thrown, as by the blocking call, so that the transaction rolls back.
 *
 * <p>A stage completes on a thread that does nothing else ({@code delayqueue-client-<n>}), never on the Redis driver's
 * or one that the library needs for calls. What is attached to it runs there, or on the attaching thread if the stage
 * was complete. It may call any operation, wait for other stages and block in any other way: other calls do not wait
 * for it. Stages behind it complete on further threads, a few hundredths of a second later; who blocks often gives that
 * an executor of its own. Completing or cancelling a stage from outside has no effect on the call. Calls for one id are
 * carried out in no particular order unless each follows the stage of the one before; only {@code scheduleAsync} calls
 * of one thread for one id keep theirs, unless the number of shards changes meanwhile or they ask for different numbers
 * of replicas.
 *
 * <p>How many calls may be unanswered is bounded, those that cancel or reschedule included: one more fails at once with
 * {@link TaskStoreBusyException}. The same goes for stages whose dependents have not returned, 256 more of them.
 */
public interface DelayQueueOperations {

    /**
     * Schedules a payload to be delivered after a delay, counted by the Redis server's clock.
     *
     * @return the id that was made for the task
     */
    String schedule(String queue, Object payload, Duration delay);

    /**
     * Schedules a payload to be delivered at a point in time; one that has passed means at once.
     *
     * @return the id that was made for the task
     */
    String schedule(String queue, Object payload, Instant dueAt);

    /** Schedules a task with all that a request can say, and tells what happened. */
    ScheduleResult schedule(ScheduleRequest request);

    /**
     * Schedules a task without waiting for the answer, for callers that have more to send. What is sent while an answer
     * is awaited travels together.
     *
     * <p>How many tasks may be unanswered is bounded ({@code delayqueue.redis.request-queue-size}, and 64 MiB): one
     * more fails at once with {@link TaskStoreBusyException}, and nothing was sent. Callers that send without end
     * should wait for some of their stages well before.
     */
    CompletionStage<ScheduleResult> scheduleAsync(ScheduleRequest request);

    /**
     * Schedules many tasks with few script calls, several of them under way at a time. Each is atomic, the whole is
     * not. All requests are checked first; one bad request refuses them all. When Redis fails midway, the report says
     * for each task whether it is stored. Of several requests with one id the later come after the earlier. The
     * time-out is that of each script call: while answers come it goes on.
     *
     * @return one outcome per request, in their order
     */
    List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests);

    /**
     * Schedules up to 500 tasks of one queue and one shard key, all of them or none: if the conflict policy of one
     * request keeps the task that the queue has under its id, nothing is stored. So with {@link ConflictPolicy#KEEP} a
     * batch is refused as a whole if one of its ids exists, whether waiting, leased or dead. They go to one shard, in
     * one script call; that is why {@link ScheduleRequest.Builder#shardKey} has to be the same for all. Making the call
     * again with the same request objects is safe, as for one task.
     *
     * <p>While the queue's number of shards is being changed such a call waits for the end of that, up to the command
     * time-out.
     *
     * @return one result per request, in their order
     * @throws BatchRefusedException if one was kept, so that nothing is stored
     * @throws TaskNotReplicatedException if fewer replicas than asked for are known to have one of them; all are stored
     * @throws CallWithinTransactionException within a transaction with which calls are decided
     *     ({@code delayqueue.transactions}): whether all or none are stored is not known before the commit
     * @throws InvalidBatchException if there are too many, two of one id, or not all of one queue and one shard key
     */
    List<ScheduleResult> scheduleTogether(Collection<ScheduleRequest> requests);

    /** Cancels a task. */
    CancelOutcome cancel(String queue, String id);

    /**
     * Cancels a task without waiting for the answer. What is attached to the stage may block; see above on which
     * threads.
     */
    CompletionStage<CancelOutcome> cancelAsync(String queue, String id);

    /**
     * Cancels the tasks of this id in every configured queue.
     *
     * @return the outcome by queue name, for every configured queue
     */
    Map<String, CancelOutcome> cancelEverywhere(String id);

    /**
     * Cancels many tasks, some hundred calls under way at a time. Each is atomic, the whole is not: when Redis fails midway,
     * the report says for each task what is known of it, and the call may be made again.
     *
     * @param ids all are checked first; one bad id refuses them all
     * @return one line for each id, in their order; an id that comes twice has one
     */
    List<IdOutcome<CancelOutcome>> cancelAll(String queue, Collection<String> ids);

    /** Gives a task another due time, counted from now by the Redis server's clock. */
    RescheduleOutcome reschedule(String queue, String id, Duration delay);

    /** Gives a task another due time. */
    RescheduleOutcome reschedule(String queue, String id, Instant dueAt);

    /**
     * Gives a task another due time, counted from now by the Redis server's clock, without waiting for the answer. What
     * is attached to the stage may block.
     */
    CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Duration delay);

    /** Gives a task another due time without waiting for the answer. What is attached to the stage may block. */
    CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Instant dueAt);

    /** Gives many tasks another due time, counted from when each call runs; as {@link #cancelAll}. */
    List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Collection<String> ids, Duration delay);

    /** Gives many tasks another due time; as {@link #cancelAll}. */
    List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Collection<String> ids, Instant dueAt);

    /**
     * Gives many tasks a due time each; as {@link #cancelAll}.
     *
     * @param dueAt the due time by id
     */
    List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Map<String, Instant> dueAt);

    /**
     * Makes a task due now: the same as to reschedule it with no delay. Of a task under delivery this makes another delivery at
     * once, beside the one that runs and under another task key; the outcome is then {@link RescheduleOutcome#IN_FLIGHT}.
     */
    default RescheduleOutcome deliverNow(String queue, String id) {
        return reschedule(queue, id, Duration.ZERO);
    }

    /**
     * Gives a waiting task another payload, in one step with the look whether it is still there. Its due time, headers and
     * attempts stay, and so does its task key; its type becomes that of the new payload ({@link
     * io.delayqueue.annotation.TaskType}), none where that has none. A task of which a delivery has
     * begun is left as it is, as the outcome says.
     *
     * @throws PayloadConversionException if the payload cannot be written
     */
    UpdateOutcome update(String queue, String id, Object payload);

    /**
     * Looks at a task of whose payload the type is not known, without touching it.
     *
     * @return with its payload as stored and the content type
     */
    default Optional<FoundTask<EncodedPayload>> find(String queue, String id) {
        return find(queue, id, EncodedPayload.class);
    }

    /**
     * Looks at a task without touching it.
     *
     * @param payloadType what to decode the payload to; {@code byte[].class} gives it as stored, a primitive type its object
     * @throws PayloadConversionException if the payload cannot be read as that type
     */
    <T> Optional<FoundTask<T>> find(String queue, String id, Class<T> payloadType);

    /**
     * The tasks that were scheduled with this {@link ScheduleRequest.Builder#group}, to be cancelled, listed, counted and put off
     * together.
     *
     * @throws InvalidTaskIdException if no task can have such a group
     */
    TaskGroup group(String queue, String group);

    /** The same operations on one queue and one type of payload. */
    <T> TypedQueue<T> queue(String queue, Class<T> payloadType);
}
