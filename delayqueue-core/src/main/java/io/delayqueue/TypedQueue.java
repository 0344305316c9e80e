// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A handle on one queue that carries one type of payload. Cheap to make, immutable, safe for use by many threads. Every
 * method does what its namesake in {@link DelayQueueOperations} does.
 */
public interface TypedQueue<T> {

    /** The queue's name. */
    String name();

    String schedule(T payload, Duration delay);

    String schedule(T payload, Instant dueAt);

    /** Schedules under an id of the caller's; a task of this id is replaced. */
    ScheduleResult schedule(String id, T payload, Duration delay);

    /** Schedules under an id of the caller's; a task of this id is replaced. */
    ScheduleResult schedule(String id, T payload, Instant dueAt);

    /**
     * Begins a request for this queue, for all that the other methods do not say: headers, the conflict policy, a shard key,
     * replicas. It is given to {@link #schedule(ScheduleRequest)} or one of its kind.
     */
    ScheduleRequest.Builder request(T payload);

    /**
     * Schedules a task with all that a request can say.
     *
     * @throws InvalidQueueNameException if the request is for another queue
     */
    ScheduleResult schedule(ScheduleRequest request);

    /** Schedules a task with all that a request can say; one for another queue fails with {@link InvalidQueueNameException}. */
    CompletionStage<ScheduleResult> scheduleAsync(ScheduleRequest request);

    /**
     * Schedules many tasks with few calls.
     *
     * @throws InvalidQueueNameException if one of the requests is for another queue; nothing was sent
     */
    List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests);

    /** Schedules under an id that is made for the task; the result tells it. */
    CompletionStage<ScheduleResult> scheduleAsync(T payload, Duration delay);

    /** Schedules under an id that is made for the task; the result tells it. */
    CompletionStage<ScheduleResult> scheduleAsync(T payload, Instant dueAt);

    /** Schedules under an id of the caller's; a task of this id is replaced. */
    CompletionStage<ScheduleResult> scheduleAsync(String id, T payload, Duration delay);

    /** Schedules under an id of the caller's; a task of this id is replaced. */
    CompletionStage<ScheduleResult> scheduleAsync(String id, T payload, Instant dueAt);

    CancelOutcome cancel(String id);

    CompletionStage<CancelOutcome> cancelAsync(String id);

    List<IdOutcome<CancelOutcome>> cancelAll(Collection<String> ids);

    RescheduleOutcome reschedule(String id, Duration delay);

    RescheduleOutcome reschedule(String id, Instant dueAt);

    CompletionStage<RescheduleOutcome> rescheduleAsync(String id, Duration delay);

    CompletionStage<RescheduleOutcome> rescheduleAsync(String id, Instant dueAt);

    List<IdOutcome<RescheduleOutcome>> rescheduleAll(Collection<String> ids, Duration delay);

    List<IdOutcome<RescheduleOutcome>> rescheduleAll(Collection<String> ids, Instant dueAt);

    RescheduleOutcome deliverNow(String id);

    UpdateOutcome update(String id, T payload);

    Optional<FoundTask<T>> find(String id);

    TaskGroup group(String group);
}
