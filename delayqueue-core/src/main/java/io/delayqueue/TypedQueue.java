// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The operations on one queue with one payload type. A lightweight, immutable, thread-safe handle. The methods
 * correspond to those of {@link DelayQueueOperations}.
 *
 * @param <T> the payload type
 */
public final class TypedQueue<T> {

    private final DelayQueueOperations operations;
    private final String name;
    private final ParameterizedTypeReference<T> payloadType;

    TypedQueue(DelayQueueOperations operations, String name, ParameterizedTypeReference<T> payloadType) {
        this.operations = operations;
        this.name = name;
        this.payloadType = payloadType;
    }

    /** Returns the queue's name. */
    public String name() {
        return name;
    }

    /**
     * Schedules a task under a new id, which the result contains. In a queue of strings the argument is the payload,
     * not the id.
     */
    public ScheduleResult schedule(T payload, Due due) {
        return operations.schedule(request(payload).due(due).build());
    }

    /** Schedules a task under your own id. Replaces an existing task with this id. */
    public ScheduleResult schedule(String id, T payload, Due due) {
        return operations.schedule(request(payload).id(id).due(due).build());
    }

    /**
     * Starts a request for this queue, for example to set headers, a conflict policy, a group or replicas. Pass it to
     * {@link #schedule(ScheduleRequest)}.
     */
    public ScheduleRequest.Builder<T> request(T payload) {
        return ScheduleRequest.to(name, payload);
    }

    /**
     * Schedules a task.
     *
     * @throws InvalidTaskException if the request is for another queue
     */
    public ScheduleResult schedule(ScheduleRequest<T> request) {
        return operations.schedule(ofThisQueue(request));
    }

    /**
     * Schedules many tasks with few script calls.
     *
     * @throws InvalidTaskException if a request is for another queue; nothing was sent
     * @throws BatchFailedException if Redis did not confirm all of them; contains the outcome of each
     */
    public List<ScheduleResult> scheduleAll(Collection<ScheduleRequest<T>> requests) {
        requests.forEach(this::ofThisQueue);
        return operations.scheduleAll(requests);
    }

    /** Cancels a task. */
    public CancelOutcome cancel(String id) {
        return operations.cancel(name, id);
    }

    /** Cancels a task and stops its handler; see {@link DelayQueueOperations#cancelAndInterrupt}. */
    public CancelOutcome cancelAndInterrupt(String id, Duration patience) {
        return operations.cancelAndInterrupt(name, id, patience);
    }

    /** Cancels many tasks. */
    public Map<String, CancelOutcome> cancel(Collection<String> ids) {
        return operations.cancel(name, ids);
    }

    /** Changes the due time of a task. */
    public RescheduleOutcome reschedule(String id, Due due) {
        return operations.reschedule(name, id, due);
    }

    /** Changes the due times of many tasks to the same due time. */
    public Map<String, RescheduleOutcome> reschedule(Collection<String> ids, Due due) {
        return operations.reschedule(name, ids, due);
    }

    /** Replaces the payload of a waiting task. */
    public UpdateOutcome updatePayload(String id, T payload) {
        return operations.updatePayload(name, id, payload);
    }

    /**
     * Changes the payload, the headers or both of a waiting task; see {@link DelayQueueOperations#update}.
     *
     * @param payload the new payload; {@code null} to keep the payload
     * @param headers headers to set; an empty value removes the header
     */
    public UpdateOutcome update(String id, @Nullable T payload, Map<String, String> headers) {
        return operations.update(name, id, payload, headers);
    }

    /** Returns a task, or empty if the queue has no task with this id. */
    public Optional<FoundTask<T>> find(String id) {
        return operations.find(name, id, payloadType);
    }

    /** Returns the tasks of this queue that were scheduled with this group and without a key. */
    public TaskGroup group(String group) {
        return operations.group(name, group);
    }

    /** Returns the tasks of this queue that were scheduled with this key. */
    public KeyedQueue key(String key) {
        return operations.key(name, key);
    }

    /**
     * Returns a handle on this queue that uses another mode within transactions; see {@link
     * DelayQueueOperations#inTransaction}.
     */
    public TypedQueue<T> inTransaction(TransactionMode mode) {
        return new TypedQueue<>(operations.inTransaction(mode), name, payloadType);
    }

    private ScheduleRequest<T> ofThisQueue(ScheduleRequest<T> request) {
        if (!request.queue().equals(name)) {
            throw new InvalidTaskException("Queue '" + name
                    + "' got a request for another queue. Create requests with request(payload) of this "
                    + "queue");
        }
        return request;
    }
}
