// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.FoundTask;
import io.delayqueue.IdOutcome;
import io.delayqueue.InvalidQueueNameException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskOutcome;
import io.delayqueue.TypedQueue;
import io.delayqueue.UpdateOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One queue of the operations. */
record TypedQueueView<T>(DelayQueueOperations operations, String name, Class<T> payloadType) implements TypedQueue<T> {

    @Override
    public String schedule(T payload, Duration delay) {
        return operations.schedule(name, payload, delay);
    }

    @Override
    public String schedule(T payload, Instant dueAt) {
        return operations.schedule(name, payload, dueAt);
    }

    @Override
    public ScheduleResult schedule(String id, T payload, Duration delay) {
        return operations.schedule(
                ScheduleRequest.to(name).id(id).payload(payload).delay(delay).build());
    }

    @Override
    public ScheduleResult schedule(String id, T payload, Instant dueAt) {
        return operations.schedule(
                ScheduleRequest.to(name).id(id).payload(payload).dueAt(dueAt).build());
    }

    @Override
    public ScheduleRequest.Builder request(T payload) {
        return ScheduleRequest.to(name).payload(payload);
    }

    @Override
    public ScheduleResult schedule(ScheduleRequest request) {
        return operations.schedule(ofThisQueue(request));
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(ScheduleRequest request) {
        return send(() -> ofThisQueue(request));
    }

    @Override
    public List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests) {
        requests.forEach(this::ofThisQueue);
        return operations.scheduleAll(requests);
    }

    private ScheduleRequest ofThisQueue(ScheduleRequest request) {
        if (!request.queue().equals(name)) {
            throw new InvalidQueueNameException("Queue '" + name
                    + "' was given a request for another queue. Begin requests with request(payload) of this one");
        }
        return request;
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(T payload, Duration delay) {
        return send(() -> ScheduleRequest.to(name).payload(payload).delay(delay).build());
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(T payload, Instant dueAt) {
        return send(() -> ScheduleRequest.to(name).payload(payload).dueAt(dueAt).build());
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(String id, T payload, Duration delay) {
        return send(() ->
                ScheduleRequest.to(name).id(id).payload(payload).delay(delay).build());
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(String id, T payload, Instant dueAt) {
        return send(() ->
                ScheduleRequest.to(name).id(id).payload(payload).dueAt(dueAt).build());
    }

    @Override
    public CancelOutcome cancel(String id) {
        return operations.cancel(name, id);
    }

    @Override
    public CompletionStage<CancelOutcome> cancelAsync(String id) {
        return operations.cancelAsync(name, id);
    }

    @Override
    public RescheduleOutcome reschedule(String id, Duration delay) {
        return operations.reschedule(name, id, delay);
    }

    @Override
    public RescheduleOutcome reschedule(String id, Instant dueAt) {
        return operations.reschedule(name, id, dueAt);
    }

    @Override
    public CompletionStage<RescheduleOutcome> rescheduleAsync(String id, Duration delay) {
        return operations.rescheduleAsync(name, id, delay);
    }

    @Override
    public CompletionStage<RescheduleOutcome> rescheduleAsync(String id, Instant dueAt) {
        return operations.rescheduleAsync(name, id, dueAt);
    }

    @Override
    public List<IdOutcome<CancelOutcome>> cancelAll(Collection<String> ids) {
        return operations.cancelAll(name, ids);
    }

    @Override
    public List<IdOutcome<RescheduleOutcome>> rescheduleAll(Collection<String> ids, Duration delay) {
        return operations.rescheduleAll(name, ids, delay);
    }

    @Override
    public List<IdOutcome<RescheduleOutcome>> rescheduleAll(Collection<String> ids, Instant dueAt) {
        return operations.rescheduleAll(name, ids, dueAt);
    }

    @Override
    public RescheduleOutcome deliverNow(String id) {
        return operations.deliverNow(name, id);
    }

    @Override
    public UpdateOutcome update(String id, T payload) {
        return operations.update(name, id, payload);
    }

    @Override
    public Optional<FoundTask<T>> find(String id) {
        return operations.find(name, id, payloadType);
    }

    /** A due time that cannot be comes through the stage, as other bad input does. */
    private CompletionStage<ScheduleResult> send(Supplier<ScheduleRequest> request) {
        try {
            return operations.scheduleAsync(request.get());
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    @Override
    public TaskGroup group(String group) {
        return operations.group(name, group);
    }
}
