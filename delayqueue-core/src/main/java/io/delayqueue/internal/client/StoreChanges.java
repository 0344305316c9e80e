// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.CallBatcher;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks, encodes and sends changes of tasks. Sends several changes in {@linkplain ChangeRuns runs}, one after the
 * other, so that the changes of a task keep their order. The tasks of a run are stored together; other calls of a run
 * are concurrent.
 */
final class StoreChanges implements TaskChanges {

    /** Approximate size of a waiting call that concerns one id. */
    private static final int BYTES_BY_ID = 128;

    private final ClientParts parts;
    private final TaskEncoder encoder;
    private final GroupSteps groups;
    private final BatchAnswers answers;
    private final ConcurrentMap<Lane, CallBatcher<PendingSchedule>> batchers = new ConcurrentHashMap<>();

    StoreChanges(ClientParts parts) {
        this.parts = parts;
        this.encoder = new TaskEncoder(parts.codecs(), parts.bounds(), parts.clock());
        this.groups = new GroupSteps(parts.groups(), parts.waiting());
        this.answers = new BatchAnswers(parts.stages().threads());
    }

    @Override
    public TaskChange.Schedule schedule(ScheduleRequest<?> request) {
        return schedule(request, Map.of());
    }

    /** @param added extra headers of the task */
    TaskChange.Schedule schedule(ScheduleRequest<?> request, Map<String, String> added) {
        QueueSettings settings = parts.queues().get(request.queue());
        return new TaskChange.Schedule(request.queue(), encoder.encode(request, settings, added));
    }

    @Override
    public TaskChange.Cancel cancel(String queue, String id) {
        int replicas = parts.queues().get(queue).minReplicas();
        return new TaskChange.Cancel(queue, parts.bounds().checkId(queue, id), replicas);
    }

    @Override
    public TaskChange.Reschedule reschedule(String queue, String id, Due due) {
        int replicas = parts.queues().get(queue).minReplicas();
        return new TaskChange.Reschedule(queue, parts.bounds().checkId(queue, id), due, replicas);
    }

    @Override
    public TaskChange.Update update(String queue, String id, @Nullable Object payload, Map<String, String> headers) {
        QueueSettings settings = parts.queues().get(queue);
        parts.bounds().checkId(queue, id);
        return new TaskChange.Update(
                queue, id, encoder.encodeUpdate(payload, headers, id, settings), settings.minReplicas());
    }

    /** Sends one change and waits for its result. */
    @SuppressWarnings("unchecked") // The reply to each call has the type of its change.
    <O> O send(TaskChange<O> change) {
        if (change instanceof TaskChange.Schedule schedule) {
            PendingSchedule task = pending(schedule, true);
            batcher(task).offer(task);
            return (O) schedule.result(parts.waiting().answer(task.answer(), task::giveUp));
        }
        if (change instanceof TaskChange.ChangeGroup group) {
            return (O) groups.carryOut(group);
        }
        return parts.waiting().answer(call(change), change.what());
    }

    /**
     * Sends one change without waiting. The stage completes on a thread for stages.
     *
     * @throws io.delayqueue.TaskStoreBusyException if too many calls are outstanding
     */
    @SuppressWarnings("unchecked") // See above.
    <O> CompletableFuture<O> sendAsync(TaskChange<O> change) {
        PendingSchedule task = (change instanceof TaskChange.Schedule schedule) ? pending(schedule, false) : null;
        int size = (task == null) ? BYTES_BY_ID : task.size();
        parts.stages().enter(change.queue(), change.id(), size);
        CompletableFuture<O> call;
        try {
            if (task == null) {
                call = call(change);
            } else {
                batcher(task).offer(task);
                call = (CompletableFuture<O>) task.answer().thenApply(task.change()::result);
            }
        } catch (RuntimeException | Error ex) {
            call = CompletableFuture.failedFuture(ex);
        }
        return parts.stages().stage(call, size, task == null);
    }

    /**
     * Makes a read-only call without waiting, and passes its reply to {@code answer} on a thread for stages.
     *
     * @throws io.delayqueue.TaskStoreBusyException if too many calls are outstanding
     */
    <A, R> CompletableFuture<R> askAsync(
            String queue, String id, Supplier<CompletableFuture<A>> call, Function<A, R> answer) {
        parts.stages().enter(queue, id, BYTES_BY_ID);
        CompletableFuture<R> stage = new CompletableFuture<>();
        parts.stages().stage(Guard.call(call), BYTES_BY_ID, true).whenComplete((found, error) -> {
            if (error != null) {
                stage.completeExceptionally(error);
                return;
            }
            try {
                stage.complete(answer.apply(found));
            } catch (Throwable ex) { // An application's codec may throw anything.
                stage.completeExceptionally(ex);
            }
        });
        return stage;
    }

    private PendingSchedule pending(TaskChange.Schedule change, boolean callerWaits) {
        Shard shard = parts.tasks().placement(change.queue()).apply(change.id());
        return new PendingSchedule(shard, change, callerWaits, parts.timeout().toNanos());
    }

    /**
     * Returns the batcher for a task. Tasks that wait for replicas have their own, so that they do not delay other
     * tasks.
     */
    private CallBatcher<PendingSchedule> batcher(PendingSchedule task) {
        return batchers.computeIfAbsent(
                new Lane(task.shard(), task.task().replicas()),
                lane -> ShardBatcher.shared(parts.tasks(), parts.calling(), answers));
    }

    private record Lane(Shard shard, int replicas) {}

    /** Stores tasks, many per call, and waits for the replies. Returns results in the order of the changes. */
    List<ChangeResult> sendAll(List<TaskChange.Schedule> changes) {
        ChangeResult[] results = new ChangeResult[changes.size()];
        List<PendingSchedule> tasks = new ArrayList<>(changes.size());
        List<Integer> places = new ArrayList<>(changes.size());
        // Place all tasks by one sharding, so that tasks with the same id stay together and in order.
        Map<String, Function<String, Shard>> placements = new HashMap<>();
        for (int i = 0; i < results.length; i++) {
            TaskChange.Schedule change = changes.get(i);
            try {
                Function<String, Shard> placement =
                        placements.computeIfAbsent(change.queue(), parts.tasks()::placement);
                tasks.add(new PendingSchedule(placement.apply(change.id()), change, true, PendingSchedule.NO_TIMEOUT));
                places.add(i);
            } catch (RuntimeException ex) {
                // Catch every failure, because one task must not prevent other tasks from being sent.
                results[i] = new ChangeResult(change, null, TaskFailures.known(ex));
            }
        }
        List<ChangeResult> sent = BulkSchedule.send(
                tasks,
                progress -> ShardBatcher.bulk(parts.tasks(), parts.calling(), answers, progress),
                parts.waiting());
        for (int i = 0; i < sent.size(); i++) {
            results[places.get(i)] = sent.get(i);
        }
        return Arrays.asList(results);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Makes no more calls to a server that answered none of a run.
     */
    @Override
    public List<ChangeResult> carryOut(List<? extends TaskChange<?>> changes, BooleanSupplier goesOn) {
        ChangeResult[] results = new ChangeResult[changes.size()];
        Set<String> silent = new HashSet<>();
        boolean inTime = true;
        for (List<Integer> run : ChangeRuns.of(changes)) {
            inTime = inTime && goesOn.getAsBoolean();
            List<Integer> places = new ArrayList<>(run.size());
            for (int place : run) {
                TaskChange<?> change = changes.get(place);
                if (inTime && (silent.isEmpty() || !silent.contains(serverOf(change)))) {
                    places.add(place);
                } else {
                    results[place] = notMade(change, inTime ? "its server is silent" : "there is no time left for it");
                }
            }
            List<TaskChange<?>> made =
                    places.stream().<TaskChange<?>>map(changes::get).toList();
            List<ChangeResult> ended;
            if (made.size() == 1) {
                ended = List.of(sendOne(made.get(0)));
            } else if (!made.isEmpty() && made.get(0) instanceof TaskChange.Schedule) {
                ended = sendAll(
                        made.stream().map(TaskChange.Schedule.class::cast).toList());
            } else {
                ended = sendByIds(made);
            }
            for (int i = 0; i < ended.size(); i++) {
                results[places.get(i)] = ended.get(i);
            }
            if (!ended.stream().allMatch(StoreChanges::isAnswered)) {
                silent.addAll(servers(ended, false));
                silent.removeAll(servers(ended, true));
            }
        }
        return Arrays.asList(results);
    }

    private Set<String> servers(List<ChangeResult> results, boolean answered) {
        return results.stream()
                .filter(result -> isAnswered(result) == answered)
                .map(result -> serverOf(result.change()))
                .collect(Collectors.toSet());
    }

    @Override
    public String serverOf(TaskChange<?> change) {
        return parts.queues().names().contains(change.queue())
                ? parts.tasks().serverOf(change.queue(), change.id())
                : TaskStore.ONLY_SERVER;
    }

    /** Returns whether the server answered. A server without free memory answers, and may still execute a cancel. */
    private static boolean isAnswered(ChangeResult result) {
        return result.error() == null
                || result.error() instanceof TaskStoreFullException
                || !TaskFailures.concernsAll(result.error());
    }

    /** Makes a call, which may also contain changes of other threads, and returns its outcome or error. */
    private ChangeResult sendOne(TaskChange<?> change) {
        try {
            return new ChangeResult(change, send(change), null);
        } catch (Throwable ex) {
            return new ChangeResult(change, null, TaskFailures.known(ex));
        }
    }

    private List<ChangeResult> sendByIds(List<TaskChange<?>> run) {
        List<CompletableFuture<ChangeResult>> results = new ArrayList<>(run.size());
        for (TaskChange<?> change : run) {
            CompletableFuture<?> call;
            try {
                call = call(change);
            } catch (Throwable ex) {
                call = CompletableFuture.failedFuture(ex);
            }
            results.add(call.handle((outcome, error) -> result(change, outcome, error)));
        }
        parts.waiting().awaitDone(CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)));
        for (int i = 0; i < run.size(); i++) {
            TaskChange<?> change = run.get(i);
            if (!results.get(i).isDone()) {
                results.get(i).complete(new ChangeResult(change, null, BoundedWait.late(change.what())));
            }
        }
        return results.stream().map(CompletableFuture::join).toList();
    }

    @SuppressWarnings("unchecked") // The reply to each call has the type of its change.
    private <O> CompletableFuture<O> call(TaskChange<O> change) {
        if (change instanceof TaskChange.Cancel cancel) {
            return (CompletableFuture<O>) parts.tasks().cancel(cancel.queue(), cancel.id(), null, cancel.replicas());
        }
        if (change instanceof TaskChange.Reschedule reschedule) {
            return (CompletableFuture<O>) parts.tasks()
                    .reschedule(reschedule.queue(), reschedule.id(), reschedule.due(), null, reschedule.replicas());
        }
        TaskChange.Update update = (TaskChange.Update) change;
        return (CompletableFuture<O>) parts.tasks()
                .update(
                        update.queue(),
                        update.id(),
                        update.update(),
                        parts.bounds().maxHeaderBytes(),
                        update.replicas());
    }

    private static ChangeResult result(TaskChange<?> change, @Nullable Object outcome, @Nullable Throwable error) {
        return (error == null)
                ? new ChangeResult(change, outcome, null)
                : new ChangeResult(change, null, TaskFailures.known(error));
    }

    private static ChangeResult notMade(TaskChange<?> change, String why) {
        return new ChangeResult(
                change,
                null,
                new TaskStoreException(change.what() + ": no call was made, because " + why, false, null));
    }
}
