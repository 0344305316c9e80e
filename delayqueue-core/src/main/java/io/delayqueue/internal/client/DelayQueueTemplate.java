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
import io.delayqueue.TaskStoreException;
import io.delayqueue.TransactionMode;
import io.delayqueue.TypedQueue;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.GroupChange;
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
import java.util.Collection;
import java.util.Iterator;
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
import java.util.function.Function;
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

    private final ClientParts parts;
    private final StoreChanges changes;
    private final Function<TransactionMode, TransactionalCalls> modes;
    private final WakeSignals signals;
    private final TransactionalCalls transactions;
    private final ObservedCalls observed;

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
        this.parts = ClientParts.of(store, queues, shardings, codecs, bounds, options);
        this.changes = new StoreChanges(parts);
        this.modes = DelayQueueTemplate::withoutTransactions;
        this.signals = WakeSignals.NONE;
        this.transactions = TransactionalCalls.NONE;
        this.observed = ObservedCalls.NONE;
    }

    private DelayQueueTemplate(
            DelayQueueTemplate other,
            Function<TransactionMode, TransactionalCalls> modes,
            WakeSignals signals,
            TransactionalCalls transactions,
            ObservedCalls observed) {
        this.parts = other.parts;
        this.changes = other.changes;
        this.modes = modes;
        this.signals = signals;
        this.transactions = transactions;
        this.observed = observed;
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
        return within(modes, mode);
    }

    private static TransactionalCalls withoutTransactions(TransactionMode mode) {
        if (mode == TransactionMode.IMMEDIATE) {
            return TransactionalCalls.NONE;
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
        return new DelayQueueTemplate(
                this,
                modes,
                signals,
                transactions,
                new ObservedCalls(registry, parts.queues().names()));
    }

    /** Returns the part that makes changes regardless of transactions, for other modules of the library. */
    public TaskChanges changes() {
        return changes;
    }

    @Override
    public ScheduleResult schedule(ScheduleRequest<?> request) {
        return change(SCHEDULE, request.queue(), request.id(), added -> changes.schedule(request, added));
    }

    @Override
    public List<ScheduleResult> scheduleAll(Collection<? extends ScheduleRequest<?>> requests) {
        String queue = observed.registry().isNoop() ? null : ObservedCalls.common(requests, ScheduleRequest::queue);
        ObservedCalls.Call call = observed.start(SCHEDULE, queue, null);
        try {
            List<TaskChange.Schedule> all = requests.stream()
                    .map(request -> changes.schedule(request, call.added()))
                    .toList();
            return call.answered(transactions.isOpen() ? defer(all) : outcomes(changes.sendAll(all)));
        } catch (Throwable ex) {
            call.failed(ex);
            throw ex;
        }
    }

    /**
     * Returns the outcomes of changes of this type.
     *
     * @throws BatchFailedException if a change failed
     */
    @SuppressWarnings("unchecked") // The outcome has the type of the change.
    private static <O> List<O> outcomes(List<ChangeResult> results) {
        for (ChangeResult result : results) {
            if (result.error() != null) {
                throw new BatchFailedException(
                        result.change().queue(),
                        result.change().verb(),
                        results.stream().map(DelayQueueTemplate::line).toList());
            }
        }
        return results.stream()
                .map(result -> (O) Objects.requireNonNull(result.outcome()))
                .toList();
    }

    private static BatchFailedException.Line line(ChangeResult result) {
        return new BatchFailedException.Line(
                result.change().id(), ObservedCalls.outcome(result.outcome()), result.error());
    }

    @Override
    public CancelOutcome cancel(String queue, String id) {
        return change(CANCEL, queue, id, added -> changes.cancel(queue, id));
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
        DelayQueueException failure = null;
        for (String queue : parts.queues().names()) {
            try {
                outcomes.put(queue, cancel(queue, id));
            } catch (TaskStoreException | TaskNotReplicatedException ex) {
                if (failure == null) {
                    failure = ex;
                } else {
                    failure.addSuppressed(ex);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return outcomes;
    }

    @Override
    public Map<String, CancelOutcome> cancel(String queue, Collection<String> ids) {
        return changeAll(CANCEL, queue, ids, id -> changes.cancel(queue, id));
    }

    @Override
    public RescheduleOutcome reschedule(String queue, String id, Due due) {
        return change(RESCHEDULE, queue, id, added -> changes.reschedule(queue, id, due));
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
        return change(UPDATE, queue, id, added -> changes.update(queue, id, payload, headers));
    }

    private <O> O change(
            String verb,
            String queue,
            @Nullable String id,
            Function<Map<String, String>, ? extends TaskChange<O>> change) {
        ObservedCalls.Call call = observed.start(verb, queue, id);
        try {
            TaskChange<O> encoded = change.apply(call.added());
            return call.answered(transactions.isOpen() ? defer(List.of(encoded)).get(0) : changes.send(encoded));
        } catch (Throwable ex) {
            call.failed(ex);
            throw ex;
        }
    }

    /**
     * Makes a change without waiting. Bad input fails the stage. Within a transaction, exceptions from a codec or a
     * database are thrown, so that a caller that ignores the stage does not commit.
     */
    private <O> CompletableFuture<O> changeAsync(
            String verb, String queue, String id, Function<Map<String, String>, ? extends TaskChange<O>> change) {
        Objects.requireNonNull(queue);
        Objects.requireNonNull(id);
        ObservedCalls.Call call = observed.start(verb, queue, id);
        boolean deferred = transactions.isOpen();
        try {
            TaskChange<O> encoded = change.apply(call.added());
            return call.answered(deferred ? deferAsync(encoded) : changes.sendAsync(encoded));
        } catch (RuntimeException | Error ex) {
            call.failed(ex);
            if (deferred && !(ex instanceof DelayQueueException)) {
                throw ex;
            }
            return CompletableFuture.failedFuture(ex);
        }
    }

    private <O extends Enum<O>> Map<String, O> changeAll(
            String verb, String queue, Collection<String> ids, Function<String, TaskChange<O>> change) {
        ObservedCalls.Call call = observed.start(verb, queue, null);
        try {
            parts.queues().get(queue);
            List<TaskChange<O>> all =
                    new LinkedHashSet<>(ids).stream().map(change).toList();
            List<O> outcomes = transactions.isOpen() ? defer(all) : outcomes(changes.carryOut(all, () -> true));
            Iterator<O> next = outcomes.iterator();
            Map<String, O> byId = new LinkedHashMap<>();
            all.forEach(each -> byId.put(each.id(), next.next()));
            return call.answered(byId);
        } catch (Throwable ex) {
            call.failed(ex);
            throw ex;
        }
    }

    private <O> List<O> defer(List<? extends TaskChange<O>> all) {
        if (!all.isEmpty()) {
            transactions.add(all.stream().map(DeferredCall::of).toList());
        }
        Instant now = parts.clock().now();
        return all.stream().map(change -> change.deferred(now)).toList();
    }

    private <O> CompletableFuture<O> deferAsync(TaskChange<O> change) {
        DeferredCall<O> call = DeferredCall.withStage(change, parts.stages().threads()::run);
        transactions.add(List.of(call));
        return call.stage();
    }

    @Override
    public <T> Optional<FoundTask<T>> find(String queue, String id, ParameterizedTypeReference<T> payloadType) {
        parts.queues().get(queue);
        parts.bounds().checkId(queue, id);
        Type type = boxed(payloadType.getType());
        return parts.waiting()
                .answer(parts.tasks().find(queue, id), "Queue '" + queue + "', find '" + id + "'")
                .map(task -> found(queue, task, type));
    }

    @Override
    public AsyncDelayQueueOperations async() {
        return new Async();
    }

    private final class Async implements AsyncDelayQueueOperations {

        @Override
        public CompletableFuture<ScheduleResult> schedule(ScheduleRequest<?> request) {
            return changeAsync(SCHEDULE, request.queue(), request.id(), added -> changes.schedule(request, added));
        }

        @Override
        public CompletableFuture<CancelOutcome> cancel(String queue, String id) {
            return changeAsync(CANCEL, queue, id, added -> changes.cancel(queue, id));
        }

        @Override
        public CompletableFuture<RescheduleOutcome> reschedule(String queue, String id, Due due) {
            Objects.requireNonNull(due);
            return changeAsync(RESCHEDULE, queue, id, added -> changes.reschedule(queue, id, due));
        }

        @Override
        public CompletableFuture<UpdateOutcome> update(
                String queue, String id, @Nullable Object payload, Map<String, String> headers) {
            Objects.requireNonNull(headers);
            return changeAsync(UPDATE, queue, id, added -> changes.update(queue, id, payload, headers));
        }

        @Override
        public <T> CompletableFuture<Optional<FoundTask<T>>> find(
                String queue, String id, ParameterizedTypeReference<T> payloadType) {
            Objects.requireNonNull(queue);
            Objects.requireNonNull(id);
            Type type = boxed(payloadType.getType());
            try {
                parts.queues().get(queue);
                parts.bounds().checkId(queue, id);
                return changes.askAsync(
                        queue,
                        id,
                        () -> parts.tasks().find(queue, id),
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
        parts.queues().get(queue);
        parts.bounds().checkId(queue, TaskIds.of(parts.bounds().checkPart(queue, "key", key), null, "-"));
        return new KeyView(this, queue, key, group -> group(queue, key, group));
    }

    private TaskGroup group(String queue, @Nullable String key, String group) {
        QueueSettings settings = parts.queues().get(queue);
        parts.bounds().checkId(queue, TaskIds.of(key, parts.bounds().checkPart(queue, "group", group), "-"));
        return new GroupView(
                this,
                parts.groups(),
                parts.waiting(),
                queue,
                settings.minReplicas(),
                Optional.ofNullable(key),
                group,
                this::changeGroup);
    }

    private GroupResult changeGroup(TaskChange.ChangeGroup change) {
        boolean isCancel = change.operation().verb() == GroupChange.Verb.CANCEL;
        return change(isCancel ? CANCEL : RESCHEDULE, change.queue(), null, added -> change);
    }

    @Override
    public <T> TypedQueue<T> queue(String queue, ParameterizedTypeReference<T> payloadType) {
        parts.queues().get(queue);
        return DelayQueueOperations.super.queue(queue, payloadType);
    }

    @SuppressWarnings("unchecked")
    private <T> FoundTask<T> found(String queue, StoredTask task, Type payloadType) {
        TaskContent content = task.content();
        if (content == null) {
            throw new PayloadConversionException("Queue '" + queue + "', task '" + task.id()
                    + "': this version cannot read the stored task. Use the version of this library that stored it");
        }
        Object payload =
                parts.codecs().decode(content.payload(), content.contentType(), content.headers(), payloadType);
        return new FoundTaskView<>(queue, task, content.headers(), (T)
                ResolvableType.forType(payloadType).toClass().cast(payload));
    }
}
