// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.admin.RedriveResult;
import io.delayqueue.internal.calls.CallProgress;
import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The calls on tasks of queues that are spread over shards: made where the tasks live, whatever the sharding of their
 * queue. A call that meets a newer sharding, or a task that is on its way to another shard, is made again, for as long as
 * a call may take. Nothing blocks; futures complete on a thread of the driver or of a timer.
 */
public final class ShardedTasks {

    private static final int NO_HOME = -1;

    private final TaskStore store;
    private final Shardings shardings;
    private final ShardingRetries retries;
    private final DeadTaskLookup deadTasks;
    private final GroupHint groupHint = new GroupHint();
    private final ConcurrentMap<String, Versioned> versions = new ConcurrentHashMap<>();

    /**
     * @param patience how long a call is made again for a task that migrates, or because the sharding changes
     * @param threads where that happens after a pause, and time-outs
     */
    public ShardedTasks(TaskStore store, Shardings shardings, Duration patience, CallThreads threads) {
        this.store = store;
        this.shardings = shardings;
        this.retries = new ShardingRetries(shardings, patience, threads);
        this.deadTasks = new DeadTaskLookup(store, retries);
    }

    /**
     * Answers by id which shard holds a task of the queue, as far as this process knows at the moment of this
     * call: as long as one placement is used, tasks of one key are in one shard.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public Function<String, Shard> placement(String queue) {
        Sharding sharding = shardings.of(queue);
        return id -> new Shard(queue, sharding.homeOf(id));
    }

    /** All shards that may hold tasks of the queue, by the sharding that is recorded now. */
    public CompletableFuture<List<Shard>> shards(String queue) {
        return shardings
                .refresh(queue)
                .thenApply(sharding -> IntStream.range(0, sharding.span())
                        .mapToObj(shard -> new Shard(queue, shard))
                        .toList());
    }

    /** Whether tasks of the queue may be on their way from shard to shard, as far as this process knows. */
    public boolean mayMigrate(String queue) {
        return shardings.of(queue).isMigrating();
    }

    /**
     * Stores tasks.
     *
     * @param tasks ids differ; at most {@link TaskStore#MAX_BATCH} to a shard
     * @param permit taken before any of the tasks is sent
     * @param stored told of each task that is stored while others of the call have to wait or fail, with its position; if
     *     the call fails, the others are not known to be stored
     */
    public CompletableFuture<List<ScheduleReply>> schedule(
            String queue, List<NewTask> tasks, SendPermit permit, ObjIntConsumer<ScheduleReply> stored) {
        tasks.forEach(task -> groupHint.scheduled(queue, task.id()));
        long deadline = retries.deadline();
        Sharding sharding = shardings.of(queue);
        int home = isAtRest(sharding) ? commonHome(sharding, tasks) : NO_HOME;
        if (home == NO_HOME) {
            return migrating(queue, tasks, List.of(), permit, stored, deadline);
        }
        return store.tasks()
                .schedule(new Shard(queue, home), version(queue, sharding), ScheduleMode.EACH, 0, permit, tasks)
                .handle((replies, error) -> {
                    if (error == null) {
                        return replies.stream().allMatch(reply -> reply.state() == ScheduleReply.State.DONE)
                                ? CompletableFuture.completedFuture(replies)
                                : migrating(queue, tasks, replies, permit, stored, deadline);
                    }
                    Throwable cause = Causes.of(error);
                    return cause instanceof ShardingChangedException
                            ? migrating(queue, tasks, List.of(), permit, stored, deadline)
                            : CompletableFuture.<List<ScheduleReply>>failedFuture(cause);
                })
                .thenCompose(Function.identity());
    }

    /**
     * Stores all of the tasks or none, in the shard of their one key or group. Waits for the end of a change of the number
     * of shards: meanwhile an id may be in several of them, and no call reaches two.
     *
     * @param tasks 1 to {@link TaskStore#MAX_BATCH} of one key or group; ids differ
     * @param permit taken before they are sent
     */
    public CompletableFuture<List<ScheduleReply>> scheduleTogether(
            String queue, List<NewTask> tasks, SendPermit permit) {
        tasks.forEach(task -> groupHint.scheduled(queue, task.id()));
        return retries.againUntil(retries.deadline(), queue, sharding -> together(queue, sharding, tasks, permit))
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(
                        permit.withdraw() ? TaskFailures.noneWasSent(Causes.of(error)) : Causes.of(error)));
    }

    private CompletableFuture<@Nullable List<ScheduleReply>> together(
            String queue, Sharding sharding, List<NewTask> tasks, SendPermit permit) {
        if (sharding.isMigrating()) {
            return shardings.refresh(queue).thenApply(read -> null);
        }
        Shard home = new Shard(queue, sharding.homeOf(tasks.get(0).id()));
        return store.tasks()
                .schedule(home, version(queue, sharding), ScheduleMode.ALL_OR_NONE, 0, permit, tasks)
                .thenApply(replies -> replies.stream().anyMatch(reply -> reply.state() == ScheduleReply.State.MIGRATING)
                        ? null
                        : replies);
    }

    private CompletableFuture<List<ScheduleReply>> migrating(
            String queue,
            List<NewTask> tasks,
            List<ScheduleReply> known,
            SendPermit permit,
            ObjIntConsumer<ScheduleReply> stored,
            long deadline) {
        return retries.againUntil(
                deadline, queue, new MigratingSchedule(store, queue, tasks, known, permit, stored)::tryAll);
    }

    /** The shard that all tasks belong to; {@link #NO_HOME} if there is none. */
    private static int commonHome(Sharding sharding, List<NewTask> tasks) {
        int home = sharding.homeOf(tasks.get(0).id());
        for (int i = 1; i < tasks.size(); i++) {
            if (sharding.homeOf(tasks.get(i).id()) != home) {
                return NO_HOME;
            }
        }
        return home;
    }

    private static boolean isAtRest(Sharding sharding) {
        return !sharding.isUnknown() && !sharding.isMigrating();
    }

    private ShardingVersion version(String queue, Sharding sharding) {
        Versioned known = versions.get(queue);
        if (known == null || known.sharding() != sharding) {
            known = new Versioned(sharding, sharding.version());
            versions.put(queue, known);
        }
        return known.version();
    }

    /**
     * Deletes a task, live or dead.
     *
     * @param replicas that are to know
     * @return fails with {@link io.delayqueue.TaskNotReplicatedException} if fewer do
     */
    public CompletableFuture<CancelOutcome> cancel(String queue, String id, int replicas) {
        return byId(
                queue,
                new TaskLookup<>(
                        queue,
                        id,
                        replicas,
                        outcome -> outcome != CancelOutcome.NOT_FOUND,
                        (first, second) -> first == CancelOutcome.IN_FLIGHT ? first : second,
                        store.tasks()::cancel));
    }

    /**
     * Gives a live task another due time.
     *
     * @param replicas that are to know
     * @return fails with {@link io.delayqueue.TaskNotReplicatedException} if fewer do
     */
    public CompletableFuture<RescheduleOutcome> reschedule(String queue, String id, Due due, int replicas) {
        return byId(
                queue,
                new TaskLookup<>(
                        queue,
                        id,
                        replicas,
                        outcome -> outcome != RescheduleOutcome.NOT_FOUND,
                        (first, second) -> first == RescheduleOutcome.IN_FLIGHT ? first : second,
                        (shard, sharding, task, asked) -> store.tasks().reschedule(shard, sharding, task, due, asked)));
    }

    /**
     * Gives a waiting task another payload.
     *
     * @param replicas that are to know
     * @return fails with {@link io.delayqueue.TaskNotReplicatedException} if fewer do
     */
    public CompletableFuture<UpdateOutcome> update(String queue, String id, NewPayload payload, int replicas) {
        return byId(
                queue,
                new TaskLookup<>(
                        queue,
                        id,
                        replicas,
                        outcome -> outcome != UpdateOutcome.NOT_FOUND,
                        (first, second) -> first == UpdateOutcome.IN_FLIGHT ? first : second,
                        (shard, sharding, task, asked) -> store.tasks().update(shard, sharding, task, payload, asked)));
    }

    /** Reads a task, live or dead. */
    public CompletableFuture<Optional<StoredTask>> find(String queue, String id) {
        return byId(
                queue,
                new TaskLookup<>(
                        queue,
                        id,
                        0,
                        Optional::isPresent,
                        (first, second) -> first,
                        (shard, sharding, task, none) -> store.tasks()
                                .find(shard, sharding, task)
                                .thenApply(found -> new Replicated<>(found, 0))));
    }

    private <R> CompletableFuture<R> byId(String queue, TaskLookup<R> lookup) {
        long deadline = retries.deadline();
        Sharding sharding = shardings.of(queue);
        CompletableFuture<R> answer = isAtRest(sharding)
                ? lookup.in(sharding.homeOf(lookup.id()), version(queue, sharding))
                        .exceptionallyCompose(error -> {
                            Throwable cause = Causes.of(error);
                            return cause instanceof ShardingChangedException || cause instanceof TaskMigratingException
                                    ? retries.againUntil(deadline, queue, lookup::under)
                                    : CompletableFuture.failedFuture(cause);
                        })
                : retries.againUntil(deadline, queue, lookup::under);
        return answer.thenApply(reply -> {
            if (!lookup.isFound(reply)) {
                groupHint.missed(queue, lookup.id());
            }
            return lookup.confirm(reply);
        });
    }

    /**
     * Makes dead tasks live again.
     *
     * @param due when each of them is to be due, by id; may be any number
     * @param progress told of each call that is made and answered
     */
    public CompletableFuture<RedriveResult> redrive(String queue, Map<String, Due> due, CallProgress progress) {
        return deadTasks.redrive(queue, due, progress);
    }

    /**
     * Deletes dead tasks and answers how many.
     *
     * @param ids may be any number
     * @param progress told of each call that is made and answered
     */
    public CompletableFuture<Long> discard(String queue, Collection<String> ids, CallProgress progress) {
        return deadTasks.discard(queue, ids, progress);
    }

    /** The stored form of a sharding is asked for with every call. */
    private record Versioned(Sharding sharding, ShardingVersion version) {}
}
