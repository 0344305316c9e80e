// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.AsyncDelayQueueOperations;
import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.GroupResult;
import io.delayqueue.KeyedQueue;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TransactionMode;
import io.delayqueue.TypedQueue;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.calls.BoundedStages;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.StageThreads;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.sharding.ShardedGroups;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.DeferredCall;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.internal.transaction.TransactionalCalls;
import io.micrometer.observation.ObservationRegistry;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;

/**
 * Implements the operations on delayed tasks with a task store. Applications inject {@link DelayQueueOperations}.
 *
 * <p>A change is first validated and its payload encoded. Within a transaction, it then goes to {@link
 * TransactionalCalls}, if configured; otherwise it is sent.
 */
public final class DelayQueueTemplate implements DelayQueueOperations {

    private static final String SCHEDULE = "schedule";
    private static final String CANCEL = "cancel";
    private static final String RESCHEDULE = "reschedule";
    private static final String UPDATE = "update";
    /** The maximum that fits into a wait in nanoseconds. */
    private static final Duration LONGEST_PATIENCE = Duration.ofDays(365);

    private final QueueCatalog queues;
    private final PayloadCodecs codecs;
    private final TaskBounds bounds;
    private final QueueClock clock;
    private final ShardedTasks shardedTasks;
    private final ShardedGroups shardedGroups;
    private final StoreChanges changes;
    private final BoundedWait wait;
    private final StageThreads threads;
    private final AddedHeaders added;
    private final @Nullable Function<TransactionMode, TransactionalCalls> modes;
    private final WakeSignals signals;
    private final @Nullable TransactionalCalls transactions;
    private final @Nullable ObservedCalls observed;
    /** The same operations without observations, for use by observed calls. */
    private final DelayQueueTemplate unobserved;

    /** Creates a template for queues with their configured number of shards. */
    public DelayQueueTemplate(TaskStore store, QueueCatalog queues, PayloadCodecs codecs, TaskBounds bounds) {
        this(store, queues, Shardings.fixed(queues), codecs, bounds, ClientOptions.DEFAULT);
    }

    /**
     * @param shardings the shards of the queues
     * @param options options whose time-out equals that of the store
     */
    public DelayQueueTemplate(
            TaskStore store,
            QueueCatalog queues,
            Shardings shardings,
            PayloadCodecs codecs,
            TaskBounds bounds,
            ClientOptions options) {
        this.queues = queues;
        this.codecs = codecs;
        this.bounds = bounds;
        this.clock = store.clock();
        this.wait = new BoundedWait(options.callTimeout());
        this.added = new AddedHeaders();
        Scheduler calling = Scheduler.forCalls();
        BoundedStages stages = new BoundedStages(options.maxPendingTasks(), calling);
        this.threads = stages.threads();
        this.shardedTasks = new ShardedTasks(store, shardings, options.callTimeout(), calling);
        this.shardedGroups = new ShardedGroups(store, shardings, options.callTimeout(), calling);
        this.changes = new StoreChanges(
                queues,
                bounds,
                new TaskEncoder(codecs, bounds, added, clock),
                shardedTasks,
                new GroupSteps(shardedGroups, wait),
                calling,
                stages,
                wait,
                options.callTimeout());
        this.modes = null;
        this.signals = WakeSignals.NONE;
        this.transactions = null;
        this.observed = null;
        this.unobserved = this;
    }

    private DelayQueueTemplate(
            DelayQueueTemplate other,
            @Nullable Function<TransactionMode, TransactionalCalls> modes,
            WakeSignals signals,
            @Nullable TransactionalCalls transactions,
            @Nullable ObservedCalls observed) {
        this.queues = other.queues;
        this.codecs = other.codecs;
        this.bounds = other.bounds;
        this.clock = other.clock;
        this.shardedTasks = other.shardedTasks;
        this.shardedGroups = other.shardedGroups;
        this.changes = other.changes;
        this.wait = other.wait;
        this.threads = other.threads;
        this.added = other.added;
        this.modes = modes;
        this.signals = signals;
        this.transactions = transactions;
        this.observed = observed;
        this.unobserved = (observed == null) ? this : new DelayQueueTemplate(this, modes, signals, transactions, null);
    }

    /** Returns these operations with signals to other processes. Called by the library's own configuration. */
    public DelayQueueTemplate signallingBy(WakeSignals wakeSignals) {
        return new DelayQueueTemplate(this, modes, wakeSignals, transactions, observed);
    }

    /**
     * Returns these operations with transaction modes. Within a transaction, changes go to the {@link
     * TransactionalCalls} that {@code modes} returns for the mode. Only the library's own configuration calls this.
     *
     * @param modes returns the calls for a mode; throws if the application does not support it
     * @param mode the default mode, from {@code delayqueue.transactions}
     */
    public DelayQueueTemplate within(Function<TransactionMode, TransactionalCalls> modes, TransactionMode mode) {
        return new DelayQueueTemplate(this, modes, signals, modes.apply(mode), observed);
    }

    /**
     * {@inheritDoc}
     *
     * @throws DelayQueueException also if the application created this template itself: such a template makes every
     *     call at once
     */
    @Override
    public DelayQueueTemplate inTransaction(TransactionMode mode) {
        if (modes != null) {
            return within(modes, mode);
        }
        if (mode == TransactionMode.IMMEDIATE) {
            return this;
        }
        throw new DelayQueueException(
                "This DelayQueueTemplate was not created by the starter. It makes every call at once, so it does not "
                        + "support the mode " + mode + ". Inject the starter's DelayQueueOperations");
    }

    /**
     * Returns these operations with an observation for each call that schedules or changes tasks. Headers that a tracer
     * writes to the context's carrier are added to a scheduled task, unless it already has them. An update adds none.
     */
    public DelayQueueTemplate observed(ObservationRegistry registry) {
        return registry.isNoop()
                ? this
                : new DelayQueueTemplate(
                        this, modes, signals, transactions, new ObservedCalls(registry, queues.names(), added));
    }

    /** Returns the part that makes changes regardless of transactions, for other modules of the library. */
    public TaskChanges changes() {
        return changes;
    }

    @Override
    public ScheduleResult schedule(ScheduleRequest<?> request) {
        return change(
                SCHEDULE, request.queue(), request.id(), () -> changes.schedule(request), ScheduleResult::outcome);
    }

    @Override
    public List<ScheduleResult> scheduleAll(Collection<? extends ScheduleRequest<?>> requests) {
        if (observed != null) {
            return observed.observe(
                    SCHEDULE,
                    ObservedCalls.common(requests, ScheduleRequest::queue),
                    null,
                    () -> unobserved.scheduleAll(requests),
                    results -> ObservedCalls.common(results, ScheduleResult::outcome));
        }
        List<TaskChange.Schedule> all = new ArrayList<>(requests.size());
        requests.forEach(request -> all.add(changes.schedule(request)));
        if (isWithinTransaction()) {
            return defer(all, (change, result) -> result);
        }
        List<ChangeResult> results = changes.sendAll(all);
        failIfAnyFailed(results);
        return results.stream()
                .map(result -> (ScheduleResult) Objects.requireNonNull(result.outcome()))
                .toList();
    }

    private static void failIfAnyFailed(List<ChangeResult> results) {
        results.stream()
                .filter(result -> result.error() != null)
                .findFirst()
                .map(ChangeResult::change)
                .ifPresent(first -> {
                    throw new BatchFailedException(
                            first.queue(),
                            first.verb(),
                            results.stream().map(DelayQueueTemplate::line).toList());
                });
    }

    private static BatchFailedException.Line line(ChangeResult result) {
        Object outcome = result.outcome();
        Enum<?> kind = outcome instanceof ScheduleResult scheduled ? scheduled.outcome() : (Enum<?>) outcome;
        return new BatchFailedException.Line(result.change().id(), kind, result.error());
    }

    @Override
    public CancelOutcome cancel(String queue, String id) {
        return change(CANCEL, queue, id, () -> changes.cancel(queue, id), outcome -> outcome);
    }

    @Override
    public CancelOutcome cancelAndInterrupt(String queue, String id, Duration patience) {
        long nanos = (patience.compareTo(LONGEST_PATIENCE) < 0 ? patience : LONGEST_PATIENCE).toNanos();
        CancelOutcome outcome;
        try {
            outcome = cancel(queue, id);
        } catch (TaskNotReplicatedException ex) {
            if (ex.outcome() == CancelOutcome.IN_FLIGHT) {
                signals.askToEnd(queue, id).cancel(false);
            }
            throw ex;
        }
        if (outcome != CancelOutcome.IN_FLIGHT) {
            return outcome;
        }
        CompletableFuture<Void> ended = signals.askToEnd(queue, id);
        try {
            ended.get(nanos, TimeUnit.NANOSECONDS);
            return CancelOutcome.INTERRUPTED;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return outcome;
        } catch (TimeoutException | ExecutionException ex) {
            return outcome;
        } finally {
            ended.cancel(false);
        }
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
    public Map<String, CancelOutcome> cancel(String queue, Collection<String> ids) {
        return changeAll(CANCEL, queue, ids, id -> changes.cancel(queue, id));
    }

    @Override
    public RescheduleOutcome reschedule(String queue, String id, Due due) {
        return change(RESCHEDULE, queue, id, () -> changes.reschedule(queue, id, due), outcome -> outcome);
    }

    @Override
    public Map<String, RescheduleOutcome> reschedule(String queue, Collection<String> ids, Due due) {
        return changeAll(RESCHEDULE, queue, ids, id -> changes.reschedule(queue, id, due));
    }

    @Override
    public Map<String, RescheduleOutcome> reschedule(String queue, Map<String, Due> due) {
        return changeAll(
                RESCHEDULE,
                queue,
                due.keySet(),
                id -> changes.reschedule(queue, id, Objects.requireNonNull(due.get(id))));
    }

    @Override
    public UpdateOutcome update(String queue, String id, @Nullable Object payload, Map<String, String> headers) {
        return change(UPDATE, queue, id, () -> changes.update(queue, id, payload, headers), outcome -> outcome);
    }

    private <O> O change(
            String verb,
            String queue,
            String id,
            Supplier<? extends TaskChange<O>> change,
            Function<O, @Nullable Enum<?>> outcome) {
        if (observed != null) {
            return observed.observe(
                    verb, queue, id, () -> unobserved.change(verb, queue, id, change, outcome), outcome);
        }
        TaskChange<O> encoded = change.get();
        return isWithinTransaction()
                ? defer(List.of(encoded), (deferred, answer) -> answer).get(0)
                : changes.send(encoded);
    }

    /**
     * Makes a change without waiting. Bad input fails the stage. Within a transaction, exceptions from a codec or a
     * database are thrown, so that a caller that ignores the stage does not commit.
     */
    private <O> CompletableFuture<O> changeAsync(
            String verb,
            String queue,
            String id,
            Supplier<? extends TaskChange<O>> change,
            Function<O, @Nullable Enum<?>> outcome) {
        Objects.requireNonNull(queue);
        Objects.requireNonNull(id);
        if (observed != null) {
            return observed.observeStage(
                    verb, queue, id, () -> unobserved.changeAsync(verb, queue, id, change, outcome), outcome);
        }
        boolean deferred = isWithinTransaction();
        try {
            return deferred ? deferAsync(change.get()) : changes.sendAsync(change.get());
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        } catch (RuntimeException | Error ex) {
            if (deferred) {
                throw ex;
            }
            return CompletableFuture.failedFuture(ex);
        }
    }

    @SuppressWarnings("unchecked") // The outcome has the type of the change.
    private <O extends Enum<O>> Map<String, O> changeAll(
            String verb, String queue, Collection<String> ids, Function<String, TaskChange<O>> change) {
        if (observed != null) {
            return observed.observe(
                    verb,
                    queue,
                    null,
                    () -> unobserved.changeAll(verb, queue, ids, change),
                    outcomes -> ObservedCalls.common(outcomes.values(), outcome -> outcome));
        }
        queues.get(queue);
        List<TaskChange<O>> all = new LinkedHashSet<>(ids).stream().map(change).toList();
        Map<String, O> outcomes = new LinkedHashMap<>();
        if (isWithinTransaction()) {
            defer(all, (each, outcome) -> outcomes.put(each.id(), outcome));
            return outcomes;
        }
        List<ChangeResult> results = changes.carryOut(all, () -> true);
        failIfAnyFailed(results);
        results.forEach(result -> outcomes.put(result.change().id(), (O) Objects.requireNonNull(result.outcome())));
        return outcomes;
    }

    private boolean isWithinTransaction() {
        return transactions != null && transactions.isOpen();
    }

    private <C extends TaskChange<O>, O, R> List<R> defer(List<C> all, BiFunction<C, O, R> answer) {
        if (!all.isEmpty()) {
            Objects.requireNonNull(transactions)
                    .add(all.stream().map(DeferredCall::of).toList());
        }
        Instant now = clock.now();
        return all.stream()
                .map(change -> answer.apply(change, change.deferred(now)))
                .toList();
    }

    private <O> CompletableFuture<O> deferAsync(TaskChange<O> change) {
        DeferredCall<O> call = DeferredCall.withStage(change, threads::run);
        Objects.requireNonNull(transactions).add(List.of(call));
        return call.stage();
    }

    @Override
    public <T> Optional<FoundTask<T>> find(String queue, String id, ParameterizedTypeReference<T> payloadType) {
        queues.get(queue);
        bounds.checkId(queue, id);
        Type type = boxed(payloadType.getType());
        return wait.answer(shardedTasks.find(queue, id), "Queue '" + queue + "', find '" + id + "'")
                .map(task -> found(queue, task, type));
    }

    @Override
    public AsyncDelayQueueOperations async() {
        return new Async();
    }

    private final class Async implements AsyncDelayQueueOperations {

        @Override
        public CompletableFuture<ScheduleResult> schedule(ScheduleRequest<?> request) {
            return changeAsync(
                    SCHEDULE, request.queue(), request.id(), () -> changes.schedule(request), ScheduleResult::outcome);
        }

        @Override
        public CompletableFuture<CancelOutcome> cancel(String queue, String id) {
            return changeAsync(CANCEL, queue, id, () -> changes.cancel(queue, id), outcome -> outcome);
        }

        @Override
        public CompletableFuture<RescheduleOutcome> reschedule(String queue, String id, Due due) {
            Objects.requireNonNull(due);
            return changeAsync(RESCHEDULE, queue, id, () -> changes.reschedule(queue, id, due), outcome -> outcome);
        }

        @Override
        public CompletableFuture<UpdateOutcome> update(
                String queue, String id, @Nullable Object payload, Map<String, String> headers) {
            Objects.requireNonNull(headers);
            return changeAsync(
                    UPDATE, queue, id, () -> changes.update(queue, id, payload, headers), outcome -> outcome);
        }

        @Override
        public <T> CompletableFuture<Optional<FoundTask<T>>> find(
                String queue, String id, ParameterizedTypeReference<T> payloadType) {
            Objects.requireNonNull(queue);
            Objects.requireNonNull(id);
            Type type = boxed(payloadType.getType());
            try {
                queues.get(queue);
                bounds.checkId(queue, id);
                return changes.askAsync(
                        queue,
                        id,
                        () -> shardedTasks.find(queue, id),
                        found -> found.map(task -> found(queue, task, type)));
            } catch (DelayQueueException ex) {
                return CompletableFuture.failedFuture(ex);
            }
        }
    }

    private static Type boxed(Type type) {
        return (Objects.requireNonNull(type) instanceof Class<?> plain)
                ? MethodType.methodType(plain).wrap().returnType()
                : type;
    }

    @Override
    public TaskGroup group(String queue, String group) {
        return group(queue, null, group);
    }

    @Override
    public KeyedQueue key(String queue, String key) {
        queues.get(queue);
        bounds.checkId(queue, TaskIds.of(bounds.checkPart(queue, "key", key), null, "-"));
        return new KeyView(this, queue, key, group -> group(queue, key, group));
    }

    private TaskGroup group(String queue, @Nullable String key, String group) {
        QueueSettings settings = queues.get(queue);
        bounds.checkId(queue, TaskIds.of(key, bounds.checkPart(queue, "group", group), "-"));
        return new GroupView(this, shardedGroups, wait, settings, key, group, this::changeGroup);
    }

    private GroupResult changeGroup(TaskChange.ChangeGroup change) {
        if (observed != null) {
            return observed.observe(
                    change.operation().verb() == GroupChange.Verb.CANCEL ? CANCEL : RESCHEDULE,
                    change.queue(),
                    null,
                    () -> unobserved.changeGroup(change),
                    result -> result.equals(GroupResult.DEFERRED) ? CancelOutcome.DEFERRED : null);
        }
        return isWithinTransaction()
                ? defer(List.of(change), (deferred, answer) -> answer).get(0)
                : changes.groups().carryOut(change);
    }

    @Override
    public <T> TypedQueue<T> queue(String queue, ParameterizedTypeReference<T> payloadType) {
        queues.get(queue);
        return DelayQueueOperations.super.queue(queue, payloadType);
    }

    @SuppressWarnings("unchecked")
    private <T> FoundTask<T> found(String queue, StoredTask task, Type payloadType) {
        TaskContent content = task.content();
        if (content == null) {
            throw new PayloadConversionException("Queue '" + queue + "', task '" + task.id()
                    + "': this version cannot read the stored task. Use the version of this library that stored it");
        }
        Object payload = codecs.decode(content.payload(), content.contentType(), content.headers(), payloadType);
        return new FoundTaskView<>(queue, task, content.headers(), (T)
                ResolvableType.forType(payloadType).toClass().cast(payload));
    }
}
