// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.FoundTask;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TypedQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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
    public CancelOutcome cancel(String id) {
        return operations.cancel(name, id);
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
    public Optional<FoundTask<T>> find(String id) {
        return operations.find(name, id, payloadType);
    }
}
