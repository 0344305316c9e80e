// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operations on one queue with one payload type. A lightweight, immutable, thread-safe handle. Each method does
 * what the method of that name in {@link DelayQueueOperations} does.
 *
 * @param <T> the payload type
 */
public interface TypedQueue<T> {

    /** Returns the queue's name. */
    String name();

    /**
     * Schedules a task under a new id, which the result contains. In a queue of strings the argument is the payload,
     * not the id.
     */
    ScheduleResult schedule(T payload, Due due);

    /** Schedules a task under your own id. Replaces an existing task with this id. */
    ScheduleResult schedule(String id, T payload, Due due);

    /**
     * Starts a request for this queue, for example to set headers, a conflict policy, a group or replicas. Pass it to
     * {@link #schedule(ScheduleRequest)}.
     */
    ScheduleRequest.Builder<T> request(T payload);

    /**
     * Schedules a task.
     *
     * @throws InvalidTaskException if the request is for another queue
     */
    ScheduleResult schedule(ScheduleRequest<T> request);

    /**
     * Schedules many tasks with few script calls.
     *
     * @throws InvalidTaskException if a request is for another queue; nothing was sent
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    List<ScheduleResult> scheduleAll(Collection<ScheduleRequest<T>> requests);

    /** Cancels a task. */
    CancelOutcome cancel(String id);

    /** Cancels a task and stops its handler; see {@link DelayQueueOperations#cancelAndInterrupt}. */
    CancelOutcome cancelAndInterrupt(String id, Duration patience);

    /** Cancels many tasks. */
    Map<String, CancelOutcome> cancel(Collection<String> ids);

    /** Changes the due time of a task. */
    RescheduleOutcome reschedule(String id, Due due);

    /** Changes many tasks to one due time. */
    Map<String, RescheduleOutcome> reschedule(Collection<String> ids, Due due);

    /** Replaces the payload of a waiting task. */
    UpdateOutcome updatePayload(String id, T payload);

    /** Returns a task, or empty if the queue has no task with this id. */
    Optional<FoundTask<T>> find(String id);

    /** Returns the tasks of this queue that were scheduled with this group and without a key. */
    TaskGroup group(String group);

    /** Returns the tasks of this queue that were scheduled with this key. */
    KeyedQueue key(String key);

    /** Returns this queue with another mode within transactions; see {@link DelayQueueOperations#inTransaction}. */
    TypedQueue<T> inTransaction(TransactionMode mode);

    /** Returns the non-blocking operations. */
    AsyncTypedQueue<T> async();
}
