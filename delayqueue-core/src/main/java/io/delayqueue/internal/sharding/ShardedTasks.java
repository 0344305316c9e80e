// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskIds;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredKeyLimits;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TaskUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls on tasks in the right shards, for any sharding of the queue. Repeats a call, within its time, if a shard
 * reports a newer sharding or a task is migrating. Non-blocking; futures complete on a thread of the driver or of the
 * timer.
 */
public record ShardedTasks(TaskStore store, Shardings shardings, ShardingRetries retries, GroupHint groupHint) {

    private static final int NO_HOME = -1;

    /**
     * @param patience how long to repeat a call while a task migrates or the sharding changes
     * @param threads threads that repeat calls after a pause and enforce time-outs
     */
    public ShardedTasks(TaskStore store, Shardings shardings, Duration patience, Scheduler threads) {
        this(store, shardings, new ShardingRetries(shardings, patience, threads), new GroupHint());
    }

    /**
     * Returns a function that places tasks by the sharding that this process knows now. It places all tasks with the
     * same key in one shard.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public Function<String, Shard> placement(String queue) {
        Sharding sharding = shardings.of(queue);
        return id -> new Shard(queue, sharding.homeOf(id));
    }

    /** Returns the server of a task, as {@link TaskStore#serverOf(Shard)} does for a shard. */
    public String serverOf(String queue, String id) {
        return store.serverOf(placement(queue).apply(id));
    }

    /** Returns all shards that may hold tasks of the queue by the recorded sharding. */
    public CompletableFuture<List<Shard>> shards(String queue) {
        return shardings
                .refresh(queue)
                .thenApply(sharding -> IntStream.range(0, sharding.span())
                        .mapToObj(shard -> new Shard(queue, shard))
                        .toList());
    }

    /** Returns the shards that may hold tasks whose ids have this prefix, as far as this process knows now. */
    public List<Shard> homes(String queue, String idPrefix) {
        return shardings.of(queue).homesOf(idPrefix).stream()
                .map(home -> new Shard(queue, home))
                .toList();
    }

    /** Returns whether tasks of the queue may be migrating, as far as this process knows. */
    public boolean mayMigrate(String queue) {
        return shardings.of(queue).isMigrating();
    }

    /**
     * Stores tasks.
     *
     * @param tasks tasks with different ids, at most {@link TaskStore#MAX_BATCH} per shard
     * @param permit permit to take before sending anything
     * @param stored called for each stored task, with its position, while other tasks of the call still wait or fail.
     *     If the call fails, it is unknown whether the other tasks are stored
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
                .schedule(new Shard(queue, home), sharding.version(), ScheduleMode.EACH, 0, permit, tasks)
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

    /** Returns the common shard of all tasks, or {@link #NO_HOME}. */
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

    /**
     * Deletes a live or dead task.
     *
     * @param seenAt deletes the task only if this is its next attention; null for any
     * @param replicas number of required replicas
     * @return a future that fails with {@link io.delayqueue.TaskNotReplicatedException} if fewer replicas confirmed the
     *     change
     */
    public CompletableFuture<CancelOutcome> cancel(String queue, String id, @Nullable Instant seenAt, int replicas) {
        return byId(new TaskLookup<>(
                queue,
                id,
                replicas,
                outcome -> outcome != CancelOutcome.NOT_FOUND,
                (first, second) -> first == CancelOutcome.IN_FLIGHT ? first : second,
                (shard, sharding, asked) -> store.tasks().cancel(shard, sharding, id, seenAt, asked)));
    }

    /**
     * Changes the due time of a live task.
     *
     * @param seenAt changes the task only if this is its next attention; null for any
     * @param replicas number of required replicas
     * @return a future that fails with {@link io.delayqueue.TaskNotReplicatedException} if fewer replicas confirmed the
     *     change
     */
    public CompletableFuture<RescheduleOutcome> reschedule(
            String queue, String id, Due due, @Nullable Instant seenAt, int replicas) {
        return byId(new TaskLookup<>(
                queue,
                id,
                replicas,
                outcome -> outcome != RescheduleOutcome.NOT_FOUND,
                (first, second) -> first == RescheduleOutcome.IN_FLIGHT ? first : second,
                (shard, sharding, asked) -> store.tasks().reschedule(shard, sharding, id, due, seenAt, asked)));
    }

    /**
     * Replaces the payload of a waiting task.
     *
     * @param replicas number of required replicas
     * @return a future that fails with {@link io.delayqueue.TaskNotReplicatedException} if fewer replicas confirmed the
     *     change
     */
    public CompletableFuture<UpdateOutcome> update(
            String queue, String id, TaskUpdate update, int maxHeaderBytes, int replicas) {
        return byId(new TaskLookup<>(
                queue,
                id,
                replicas,
                outcome -> outcome != UpdateOutcome.NOT_FOUND,
                (first, second) -> first == UpdateOutcome.IN_FLIGHT ? first : second,
                (shard, sharding, asked) -> store.tasks().update(shard, sharding, id, update, maxHeaderBytes, asked)));
    }

    public CompletableFuture<Optional<StoredTask>> find(String queue, String id) {
        return byId(new TaskLookup<>(
                queue,
                id,
                0,
                Optional::isPresent,
                (first, second) -> first,
                (shard, sharding, none) ->
                        store.tasks().find(shard, sharding, id).thenApply(found -> new Replicated<>(found, 0))));
    }

    /** Reads or changes the run-time limits of a key, in each shard that may hold its tasks. */
    public CompletableFuture<StoredKeyLimits> keyLimits(String queue, String key, KeyLimitsChange change) {
        String idPrefix = TaskIds.keyPrefix(key);
        return retries.againUntil(retries.deadline(), queue, sharding -> {
            CompletableFuture<@Nullable StoredKeyLimits> answer = CompletableFuture.completedFuture(null);
            for (int home : sharding.homesOf(idPrefix)) {
                answer = answer.thenCompose(before -> store.shards()
                        .keyLimits(new Shard(queue, home), sharding.version(), idPrefix, change)
                        .thenApply(after -> before == null ? after : after.or(before))
                        .exceptionally(error -> {
                            throw TaskFailures.afterAPart(
                                    error, before != null && before.changed(), "the call changed another shard");
                        }));
            }
            return answer;
        });
    }

    private <R> CompletableFuture<R> byId(TaskLookup<R> lookup) {
        String queue = lookup.queue();
        long deadline = retries.deadline();
        Sharding sharding = shardings.of(queue);
        CompletableFuture<R> answer = isAtRest(sharding)
                ? lookup.in(sharding.homeOf(lookup.id()), sharding.version()).exceptionallyCompose(error -> {
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

    public DeadTaskLookup dead() {
        return new DeadTaskLookup(store, retries);
    }
}
