// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Schedule, cancel and move delayed tasks. Safe for use by many threads; every call blocks until Redis has answered or
 * the command time-out has passed.
 *
 * <p>When a call returns normally its effect is stored, subject to the durability that the Redis server is set up for.
 * Bad input is refused with an {@link InvalidTaskException} before anything is sent. When Redis does not carry out the
 * call, a {@link TaskStoreException} says whether it may nevertheless have run.
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
     * Schedules many tasks with one script call per shard and at most 500 tasks. Each call is atomic, the whole is not.
     * All requests are checked first; one bad request refuses them all. When Redis fails midway, the report says for
     * each task whether it is stored. Of several requests with one id the later come after the earlier.
     *
     * @return one outcome per request, in their order
     */
    List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests);

    /** Cancels a task. */
    CancelOutcome cancel(String queue, String id);

    /**
     * Cancels the tasks of this id in every configured queue.
     *
     * @return the outcome by queue name, for every configured queue
     */
    Map<String, CancelOutcome> cancelEverywhere(String id);

    /** Moves a task to a new due time, counted from now by the Redis server's clock. */
    RescheduleOutcome reschedule(String queue, String id, Duration delay);

    /** Moves a task to a new due time. */
    RescheduleOutcome reschedule(String queue, String id, Instant dueAt);

    /**
     * Looks at a task without touching it.
     *
     * @param payloadType what to decode the payload to; {@code byte[].class} gives it as stored
     * @throws PayloadConversionException if the payload cannot be read as that type
     */
    <T> Optional<FoundTask<T>> find(String queue, String id, Class<T> payloadType);

    /** The same operations on one queue and one type of payload. */
    <T> TypedQueue<T> queue(String queue, Class<T> payloadType);
}
