// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.AsyncDelayQueueOperations;
import io.delayqueue.AsyncTypedQueue;
import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.KeyedQueue;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskGroup;
import io.delayqueue.TransactionMode;
import io.delayqueue.TypedQueue;
import io.delayqueue.UpdateOutcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.ParameterizedTypeReference;

/** The operations on one queue. */
record TypedQueueView<T>(DelayQueueOperations operations, String name, ParameterizedTypeReference<T> payloadType)
        implements TypedQueue<T> {

    @Override
    public ScheduleResult schedule(T payload, Due due) {
        return operations.schedule(request(payload).due(due).build());
    }

    @Override
    public ScheduleResult schedule(String id, T payload, Due due) {
        return operations.schedule(request(payload).id(id).due(due).build());
    }

    @Override
    public ScheduleRequest.Builder<T> request(T payload) {
        return ScheduleRequest.to(name, payload);
    }

    @Override
    public ScheduleResult schedule(ScheduleRequest<T> request) {
        return operations.schedule(ofThisQueue(request));
    }

    @Override
    public List<ScheduleResult> scheduleAll(Collection<ScheduleRequest<T>> requests) {
        requests.forEach(this::ofThisQueue);
        return operations.scheduleAll(requests);
    }

    private ScheduleRequest<T> ofThisQueue(ScheduleRequest<T> request) {
        if (!request.queue().equals(name)) {
            throw new InvalidTaskException("Queue '" + name
                    + "' got a request for another queue. Create requests with request(payload) of this "
                    + "queue");
        }
        return request;
    }

    @Override
    public CancelOutcome cancel(String id) {
        return operations.cancel(name, id);
    }

    @Override
    public CancelOutcome cancelAndInterrupt(String id, Duration patience) {
        return operations.cancelAndInterrupt(name, id, patience);
    }

    @Override
    public Map<String, CancelOutcome> cancel(Collection<String> ids) {
        return operations.cancel(name, ids);
    }

    @Override
    public RescheduleOutcome reschedule(String id, Due due) {
        return operations.reschedule(name, id, due);
    }

    @Override
    public Map<String, RescheduleOutcome> reschedule(Collection<String> ids, Due due) {
        return operations.reschedule(name, ids, due);
    }

    @Override
    public UpdateOutcome updatePayload(String id, T payload) {
        return operations.updatePayload(name, id, payload);
    }

    @Override
    public Optional<FoundTask<T>> find(String id) {
        return operations.find(name, id, payloadType);
    }

    @Override
    public KeyedQueue key(String key) {
        return operations.key(name, key);
    }

    @Override
    public TaskGroup group(String group) {
        return operations.group(name, group);
    }

    @Override
    public TypedQueue<T> inTransaction(TransactionMode mode) {
        return new TypedQueueView<>(operations.inTransaction(mode), name, payloadType);
    }

    @Override
    public AsyncTypedQueue<T> async() {
        return new Async<>(this, operations.async());
    }

    private record Async<T>(TypedQueueView<T> queue, AsyncDelayQueueOperations operations)
            implements AsyncTypedQueue<T> {

        @Override
        public CompletableFuture<ScheduleResult> schedule(T payload, Due due) {
            return send(queue.request(payload).due(due));
        }

        @Override
        public CompletableFuture<ScheduleResult> schedule(String id, T payload, Due due) {
            return send(queue.request(payload).id(id).due(due));
        }

        /** Sends a request. Invalid input fails the future, like other bad input. */
        private CompletableFuture<ScheduleResult> send(ScheduleRequest.Builder<T> request) {
            try {
                return operations.schedule(request.build());
            } catch (DelayQueueException ex) {
                return CompletableFuture.failedFuture(ex);
            }
        }

        @Override
        public CompletableFuture<ScheduleResult> schedule(ScheduleRequest<T> request) {
            try {
                return operations.schedule(queue.ofThisQueue(request));
            } catch (DelayQueueException ex) {
                return CompletableFuture.failedFuture(ex);
            }
        }

        @Override
        public CompletableFuture<CancelOutcome> cancel(String id) {
            return operations.cancel(queue.name, id);
        }

        @Override
        public CompletableFuture<RescheduleOutcome> reschedule(String id, Due due) {
            return operations.reschedule(queue.name, id, due);
        }

        @Override
        public CompletableFuture<UpdateOutcome> updatePayload(String id, T payload) {
            return operations.updatePayload(queue.name, id, payload);
        }

        @Override
        public CompletableFuture<Optional<FoundTask<T>>> find(String id) {
            return operations.find(queue.name, id, queue.payloadType);
        }
    }
}
