// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.DueTime;
import io.delayqueue.FoundTask;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskOutcome;
import io.delayqueue.TypedQueue;
import io.delayqueue.client.BatchScheduler.RoutedTask;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.calls.StageThreads;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.sharding.QueueLayout;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TaskLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The operations on delayed tasks; inject it.
 *
 * <p>A task lives in the shard of its routing key, which is its id unless the request gave another. Calls that know only the
 * id look there first and then in the queue's other shards.
 */
public final class DelayQueueTemplate implements DelayQueueOperations {

    /** About what a call by an id takes while it waits. */
    private static final int BYTES_OF_A_CALL = 128;

    private final TaskStore store;
    private final QueueCatalog queues;
    private final PayloadCodecs codecs;
    private final TaskLimits limits;
    private final TaskEncoder encoder;
    private final ShardedTasks homes;
    private final BatchScheduler batches;
    private final StageThreads threads;
    private final PendingTasks pending;
    private final ScheduleCalls calls;
    private final BoundedWait wait;

    /** For queues whose number of shards is as configured. */
    public DelayQueueTemplate(TaskStore store, QueueCatalog queues, PayloadCodecs codecs, TaskLimits limits) {
        this(store, queues, QueueLayouts.fixed(queues), codecs, limits, ClientOptions.DEFAULT);
    }

    /**
     * @param layouts how the queues are spread over their shards
     * @param options their time-out must be the store's
     */
    public DelayQueueTemplate(
            TaskStore store,
            QueueCatalog queues,
            QueueLayouts layouts,
            PayloadCodecs codecs,
            TaskLimits limits,
            ClientOptions options) {
        this.store = store;
        this.queues = queues;
        this.codecs = codecs;
        this.limits = limits;
        this.encoder = new TaskEncoder(codecs, limits);
        this.pending = new PendingTasks(options.maxPendingTasks());
        this.wait = new BoundedWait(options.callTimeout());
        CallThreads calling = new CallThreads();
        this.threads = new StageThreads(calling, pending.maxStages());
        this.homes = new ShardedTasks(store, layouts, options.callTimeout(), calling);
        this.batches = new BatchScheduler(homes, wait);
        this.calls = new ScheduleCalls(homes, calling, threads, pending, wait, options);
    }

    @Override
    public String schedule(String queue, Object payload, Duration delay) {
        return schedule(ScheduleRequest.to(queue).payload(payload).delay(delay).build())
                .id();
    }

    @Override
    public String schedule(String queue, Object payload, Instant dueAt) {
        return schedule(ScheduleRequest.to(queue).payload(payload).dueAt(dueAt).build())
                .id();
    }

    @Override
    public ScheduleResult schedule(ScheduleRequest request) {
        return calls.schedule(route(request, homes.layout(request.queue())));
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(ScheduleRequest request) {
        Objects.requireNonNull(request);
        try {
            return calls.scheduleAsync(route(request, homes.layout(request.queue())));
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    @Override
    public List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests) {
        List<RoutedTask> routed = new ArrayList<>(requests.size());
        // The layout is looked at once, so that the tasks of one id stay together, in their order.
        Map<String, QueueLayout> layouts = new HashMap<>();
        for (ScheduleRequest request : requests) {
            QueueLayout layout = layouts.computeIfAbsent(request.queue(), homes::layout);
            routed.add(route(request, layout));
        }
        return batches.schedule(routed);
    }

    @Override
    public CancelOutcome cancel(String queue, String id) {
        return wait.answer(startCancel(queue, id), what("cancel", queue, id));
    }

    @Override
    public CompletionStage<CancelOutcome> cancelAsync(String queue, String id) {
        return onThreads(queue, id, () -> startCancel(queue, id));
    }

    private CompletableFuture<CancelOutcome> startCancel(String queue, String id) {
        int replicas = queues.get(queue).replicas();
        limits.checkId(queue, id);
        if (replicas == 0) {
            return homes.byId(queue, id, TaskCalls.cancel(store, id));
        }
        ReplicaCount count = new ReplicaCount(replicas);
        return homes.byId(queue, id, TaskCalls.cancel(store, id, replicas, count))
                .thenApply(outcome -> reached(queue, id, outcome, replicas, count));
    }

    private static <R extends Enum<R>> R reached(String queue, String id, R outcome, int replicas, ReplicaCount count) {
        if (count.reached() < replicas) {
            throw new TaskNotReplicatedException(queue, id, outcome, replicas, count.reached());
        }
        return outcome;
    }

    @Override
    public Map<String, CancelOutcome> cancelEverywhere(String id) {
        Map<String, CancelOutcome> outcomes = new LinkedHashMap<>();
        for (String queue : queues.names()) {
            outcomes.put(queue, cancel(queue, id));
        }
        return outcomes;
    }

    @Override
    public RescheduleOutcome reschedule(String queue, String id, Duration delay) {
        return reschedule(queue, id, DueTime.after(delay));
    }

    @Override
    public RescheduleOutcome reschedule(String queue, String id, Instant dueAt) {
        return reschedule(queue, id, DueTime.at(dueAt));
    }

    private RescheduleOutcome reschedule(String queue, String id, DueTime due) {
        return wait.answer(startReschedule(queue, id, due), what("reschedule", queue, id));
    }

    @Override
    public CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Duration delay) {
        return onThreads(queue, id, () -> startReschedule(queue, id, DueTime.after(delay)));
    }

    @Override
    public CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Instant dueAt) {
        return onThreads(queue, id, () -> startReschedule(queue, id, DueTime.at(dueAt)));
    }

    private CompletableFuture<RescheduleOutcome> startReschedule(String queue, String id, DueTime due) {
        int replicas = queues.get(queue).replicas();
        limits.checkId(queue, id);
        if (replicas == 0) {
            return homes.byId(queue, id, TaskCalls.reschedule(store, id, due));
        }
        ReplicaCount count = new ReplicaCount(replicas);
        return homes.byId(queue, id, TaskCalls.reschedule(store, id, due, replicas, count))
                .thenApply(outcome -> reached(queue, id, outcome, replicas, count));
    }

    @Override
    public <T> Optional<FoundTask<T>> find(String queue, String id, Class<T> payloadType) {
        queues.get(queue);
        limits.checkId(queue, id);
        return wait.answer(homes.byId(queue, id, TaskCalls.find(store, id)), what("find", queue, id))
                .map(task -> found(queue, task, payloadType));
    }

    @Override
    public <T> TypedQueue<T> queue(String queue, Class<T> payloadType) {
        queues.get(queue);
        return new TypedQueueView<>(this, queue, payloadType);
    }

    private RoutedTask route(ScheduleRequest request, QueueLayout layout) {
        QueueSettings queue = queues.get(request.queue());
        int shard = layout.homeOf(request.routingKey());
        return new RoutedTask(new Shard(queue.name(), shard), encoder.encode(request, queue));
    }

    private static String what(String verb, String queue, String id) {
        return "Queue '" + queue + "', " + verb + " '" + id + "'";
    }

    /** What is wrong with the input comes through the stage as well. */
    private <R> CompletionStage<R> onThreads(String queue, String id, Supplier<CompletableFuture<R>> call) {
        CompletableFuture<R> stage = new CompletableFuture<>();
        try {
            pending.enter(queue, id, BYTES_OF_A_CALL);
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        }
        try {
            call.get().whenComplete((answer, error) -> {
                pending.leave(BYTES_OF_A_CALL);
                threads.run(() -> {
                    try {
                        if (error == null) {
                            stage.complete(answer);
                        } else {
                            stage.completeExceptionally(TaskFailures.known(error));
                        }
                    } finally {
                        pending.end();
                    }
                });
            });
        } catch (DelayQueueException ex) {
            pending.leave(BYTES_OF_A_CALL);
            pending.end();
            stage.completeExceptionally(ex);
        } catch (RuntimeException | Error ex) {
            pending.leave(BYTES_OF_A_CALL);
            pending.end();
            throw ex;
        }
        return stage;
    }

    private <T> FoundTask<T> found(String queue, StoredTask task, Class<T> payloadType) {
        TaskContent content = task.content();
        if (content == null) {
            throw new PayloadConversionException("Queue '" + queue + "', task '" + task.id()
                    + "': the stored bytes are not an envelope of this version");
        }
        Object payload = codecs.decode(content.payload(), content.contentType(), payloadType);
        return new FoundTask<>(
                queue,
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                Optional.ofNullable(task.lastReason()),
                content.headers(),
                payloadType.cast(payload));
    }
}
