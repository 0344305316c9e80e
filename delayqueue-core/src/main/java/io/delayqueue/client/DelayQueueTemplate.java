// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.DueTime;
import io.delayqueue.FoundTask;
import io.delayqueue.IdOutcome;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskOutcome;
import io.delayqueue.TypedQueue;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.calls.BoundedStages;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.calls.OutstandingCalls;
import io.delayqueue.internal.calls.StageThreads;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.sharding.ShardedGroups;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.internal.transaction.TransactionalCalls;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TaskLimits;
import io.micrometer.observation.ObservationRegistry;
import java.lang.invoke.MethodType;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations on delayed tasks over a task store. Applications inject {@link DelayQueueOperations}. */
public sealed class DelayQueueTemplate implements DelayQueueOperations permits TransactionalTemplate, ObservedTemplate {

    private final QueueCatalog queues;
    private final PayloadCodecs codecs;
    private final TaskLimits limits;
    private final TaskEncoder encoder;
    private final ShardedTasks shardedTasks;
    private final ShardedGroups shardedGroups;
    private final SingleScheduler singles;
    private final BatchScheduler batches;
    private final TogetherScheduler together;
    private final BoundedStages stages;
    private final BoundedWait wait;
    private final CallsByIds byIds;
    private final StageThreads threads;
    private final TaskChanges changes;
    private final AddedHeaders added;
    private final QueueClock clock;

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
        this.queues = queues;
        this.codecs = codecs;
        this.limits = limits;
        this.added = new AddedHeaders();
        this.encoder = new TaskEncoder(codecs, limits, added, store.clock());
        this.clock = store.clock();
        this.wait = new BoundedWait(options.callTimeout());
        this.byIds = new CallsByIds(wait);
        OutstandingCalls outstanding = new OutstandingCalls(options.maxPendingTasks());
        CallThreads calling = new CallThreads();
        this.threads = new StageThreads(calling, outstanding.maxStages());
        this.stages = new BoundedStages(outstanding, threads);
        this.shardedTasks = new ShardedTasks(store, layouts, options.callTimeout(), calling);
        this.shardedGroups = new ShardedGroups(store, layouts, options.callTimeout(), calling);
        ScheduleAnswers answers = new ScheduleAnswers(threads);
        this.batches = new BatchScheduler(shardedTasks, answers, wait);
        this.together = new TogetherScheduler(shardedTasks, wait);
        this.singles = new SingleScheduler(shardedTasks, calling, answers, outstanding, wait, options);
        this.changes = new StoreChanges(
                queues, limits, encoder, new ChangeSender(queues, shardedTasks, singles, batches, wait));
    }

    /** With all that the other has. */
    DelayQueueTemplate(DelayQueueTemplate other) {
        this.queues = other.queues;
        this.codecs = other.codecs;
        this.limits = other.limits;
        this.encoder = other.encoder;
        this.shardedTasks = other.shardedTasks;
        this.shardedGroups = other.shardedGroups;
        this.singles = other.singles;
        this.batches = other.batches;
        this.together = other.together;
        this.stages = other.stages;
        this.wait = other.wait;
        this.byIds = other.byIds;
        this.threads = other.threads;
        this.changes = other.changes;
        this.added = other.added;
        this.clock = other.clock;
    }

    /** The clock by which tasks are due. */
    QueueClock clock() {
        return clock;
    }

    /**
     * The same operations, but calls that change something within a transaction are given to {@code transactions}. For the
     * library's own configuration, which does as {@code delayqueue.transactions} says.
     */
    public DelayQueueTemplate within(TransactionalCalls transactions) {
        return new TransactionalTemplate(this, transactions);
    }

    /**
     * The same operations, with an observation around each call that schedules or changes tasks. What a tracer writes into
     * the context's carrier becomes headers of the tasks that are scheduled, unless they have such a header of their own.
     *
     * @param convention names and tags; null for the default
     */
    public DelayQueueTemplate observed(
            ObservationRegistry registry, @Nullable ScheduleObservationConvention convention) {
        return registry.isNoop() ? this : new ObservedTemplate(this, new ObservedCalls(registry, convention, added));
    }

    /** The name if such a queue is configured, else "unknown": any text may come as a name. */
    String observedName(String queue) {
        return queues.names().contains(queue) ? queue : "unknown";
    }

    /** The changes of tasks one by one, whatever transaction there is. For other modules of the library. */
    public TaskChanges changes() {
        return changes;
    }

    /** Where the stages of asynchronous calls complete. */
    StageThreads threads() {
        return threads;
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
        return singles.schedule(route(request, shardedTasks.placement(request.queue())));
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(ScheduleRequest request) {
        Objects.requireNonNull(request);
        try {
            return singles.scheduleAsync(route(request, shardedTasks.placement(request.queue())));
        } catch (RuntimeException | Error ex) { // a codec is the application's
            return CompletableFuture.failedFuture(ex);
        }
    }

    @Override
    public List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests) {
        List<RoutedTask> routed = new ArrayList<>(requests.size());
        // One placement for all, so that the tasks of one id stay together, in their order.
        Map<String, Function<String, Shard>> placements = new HashMap<>();
        for (ScheduleRequest request : requests) {
            routed.add(route(request, placements.computeIfAbsent(request.queue(), shardedTasks::placement)));
        }
        return batches.schedule(routed);
    }

    @Override
    public List<ScheduleResult> scheduleTogether(Collection<ScheduleRequest> requests) {
        List<RoutedTask> routed = requests.stream()
                .map(request -> route(request, shardedTasks.placement(request.queue())))
                .toList();
        return routed.isEmpty() ? List.of() : together.schedule(routed);
    }

    @Override
    public CancelOutcome cancel(String queue, String id) {
        return wait.answer(startCancel(queue, id), what("cancel", queue, id));
    }

    @Override
    public CompletionStage<CancelOutcome> cancelAsync(String queue, String id) {
        Objects.requireNonNull(queue);
        Objects.requireNonNull(id);
        return stages.of(queue, id, () -> startCancel(queue, id));
    }

    private CompletableFuture<CancelOutcome> startCancel(String queue, String id) {
        int replicas = queues.get(queue).replicas();
        return shardedTasks.cancel(queue, limits.checkId(queue, id), replicas);
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
    public List<IdOutcome<CancelOutcome>> cancelAll(String queue, Collection<String> ids) {
        return each(queue, ids, id -> startCancel(queue, id));
    }

    private <O> List<IdOutcome<O>> each(
            String queue, Collection<String> ids, Function<String, CompletableFuture<O>> call) {
        queues.get(queue);
        ids.forEach(id -> limits.checkId(queue, id));
        return byIds.each(queue, ids, call);
    }

    @Override
    public RescheduleOutcome reschedule(String queue, String id, Duration delay) {
        return reschedule(queue, id, DueTime.after(delay));
    }

    @Override
    public RescheduleOutcome reschedule(String queue, String id, Instant dueAt) {
        return reschedule(queue, id, DueTime.at(dueAt));
    }

    @Override
    public List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Collection<String> ids, Duration delay) {
        return rescheduleAll(queue, ids, DueTime.after(delay));
    }

    @Override
    public List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Collection<String> ids, Instant dueAt) {
        return rescheduleAll(queue, ids, DueTime.at(dueAt));
    }

    List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Collection<String> ids, DueTime due) {
        return each(queue, ids, id -> startReschedule(queue, id, due));
    }

    @Override
    public Map<String, RescheduleOutcome> rescheduleEverywhere(String id, Duration delay) {
        return rescheduleEverywhere(id, DueTime.after(delay));
    }

    @Override
    public Map<String, RescheduleOutcome> rescheduleEverywhere(String id, Instant dueAt) {
        return rescheduleEverywhere(id, DueTime.at(dueAt));
    }

    private Map<String, RescheduleOutcome> rescheduleEverywhere(String id, DueTime due) {
        Map<String, RescheduleOutcome> outcomes = new LinkedHashMap<>();
        queues.names().forEach(queue -> outcomes.put(queue, reschedule(queue, id, due)));
        return outcomes;
    }

    @Override
    public UpdateOutcome update(String queue, String id, Object payload) {
        QueueSettings settings = queues.get(queue);
        NewPayload encoded = encoder.encodeNew(payload, limits.checkId(queue, id), settings);
        return wait.answer(shardedTasks.update(queue, id, encoded, settings.replicas()), what("update", queue, id));
    }

    RescheduleOutcome reschedule(String queue, String id, DueTime due) {
        return wait.answer(startReschedule(queue, id, due), what("reschedule", queue, id));
    }

    @Override
    public CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Duration delay) {
        Objects.requireNonNull(queue);
        Objects.requireNonNull(id);
        Objects.requireNonNull(delay);
        return rescheduleAsync(queue, id, () -> DueTime.after(delay));
    }

    @Override
    public CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Instant dueAt) {
        Objects.requireNonNull(queue);
        Objects.requireNonNull(id);
        Objects.requireNonNull(dueAt);
        return rescheduleAsync(queue, id, () -> DueTime.at(dueAt));
    }

    /** A due time that cannot be comes through the stage. */
    CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Supplier<DueTime> due) {
        return stages.of(queue, id, () -> startReschedule(queue, id, due.get()));
    }

    private CompletableFuture<RescheduleOutcome> startReschedule(String queue, String id, DueTime due) {
        QueueSettings settings = queues.get(queue);
        return shardedTasks.reschedule(queue, limits.checkId(queue, id), due, settings.order(), settings.replicas());
    }

    @Override
    public <T> Optional<FoundTask<T>> find(String queue, String id, Class<T> payloadType) {
        queues.get(queue);
        limits.checkId(queue, id);
        Class<T> type = boxed(payloadType);
        return wait.answer(shardedTasks.find(queue, id), what("find", queue, id))
                .map(task -> found(queue, task, type));
    }

    /** A primitive type's objects are of another class. */
    @SuppressWarnings("unchecked")
    private static <T> Class<T> boxed(Class<T> type) {
        return (Class<T>) MethodType.methodType(type).wrap().returnType();
    }

    @Override
    public TaskGroup group(String queue, String group) {
        QueueSettings settings = queues.get(queue);
        String id = limits.checkId(queue, TaskIds.inGroup(group, "-"));
        limits.checkShardKey(queue, id, group);
        return new GroupView(shardedGroups, wait, settings, group, this::refuseGroupChange);
    }

    /** Called before a change of a group is sent. */
    void refuseGroupChange(String what) {}

    @Override
    public <T> TypedQueue<T> queue(String queue, Class<T> payloadType) {
        queues.get(queue);
        return new TypedQueueView<>(this, queue, payloadType);
    }

    private RoutedTask route(ScheduleRequest request, Function<String, Shard> placement) {
        QueueSettings queue = queues.get(request.queue());
        return new RoutedTask(placement.apply(request.id()), encoder.encode(request, queue));
    }

    private static String what(String verb, String queue, String id) {
        return "Queue '" + queue + "', " + verb + " '" + id + "'";
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
                payloadType.cast(payload),
                Optional.ofNullable(task.holder()),
                task.failedAttempts());
    }
}
