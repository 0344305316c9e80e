// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.client.BatchScheduler.RoutedTask;
import io.delayqueue.store.NewTask;
import io.delayqueue.store.ScheduleReply;
import io.delayqueue.store.Shard;
import io.delayqueue.store.StoreCalls;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Schedules single tasks; those that are scheduled at the same time in one shard share calls. */
final class ScheduleCalls {

    private final TaskHomes homes;
    private final StageThreads threads;
    private final PendingTasks pending;
    private final long timeoutNanos;
    private final ConcurrentMap<Shard, ShardScheduler> shards = new ConcurrentHashMap<>();
    private final ConcurrentMap<Lane, ShardScheduler> replicated = new ConcurrentHashMap<>();

    ScheduleCalls(TaskHomes homes, StageThreads threads, PendingTasks pending, ClientOptions options) {
        this.homes = homes;
        this.threads = threads;
        this.pending = pending;
        this.timeoutNanos = options.callTimeout().toNanos();
    }

    ScheduleResult schedule(RoutedTask routed) {
        PendingSchedule schedule = PendingSchedule.of(routed.task(), true, timeoutNanos);
        of(routed).offer(schedule);
        return result(routed, StoreCalls.await(schedule.answer()));
    }

    /**
     * Does not block. The future completes on one of the threads for stages.
     *
     * @throws io.delayqueue.TaskStoreBusyException if too much waits already
     */
    CompletableFuture<ScheduleResult> scheduleAsync(RoutedTask routed) {
        PendingSchedule schedule = PendingSchedule.of(routed.task(), false, timeoutNanos);
        pending.enter(routed.shard().queue(), schedule.id(), schedule.size());
        CompletableFuture<ScheduleResult> stage = new CompletableFuture<>();
        schedule.answer().whenComplete((reply, error) -> {
            pending.leave(schedule.size());
            if (error != null) {
                stage.completeExceptionally(error);
                return;
            }
            try {
                stage.complete(result(routed, reply));
            } catch (TaskNotReplicatedException ex) {
                stage.completeExceptionally(ex);
            }
        });
        of(routed).offer(schedule);
        return stage;
    }

    /** Those that wait for replicas do not hold up the others. */
    private ShardScheduler of(RoutedTask routed) {
        Shard shard = routed.shard();
        int replicas = routed.task().replicas();
        if (replicas > 0) {
            return replicated.computeIfAbsent(
                    new Lane(shard, replicas), lane -> new ShardScheduler(shard, homes, threads));
        }
        ShardScheduler known = shards.get(shard);
        return (known != null) ? known : shards.computeIfAbsent(shard, s -> new ShardScheduler(s, homes, threads));
    }

    /** @throws TaskNotReplicatedException if fewer replicas have the task than it asked for */
    static ScheduleResult result(RoutedTask routed, ScheduleReply reply) {
        NewTask task = routed.task();
        if (reply.replicas() < task.replicas()) {
            throw new TaskNotReplicatedException(
                    routed.shard().queue(), task.id(), reply.outcome(), task.replicas(), reply.replicas());
        }
        return new ScheduleResult(task.id(), reply.outcome(), reply.dueAt());
    }

    private record Lane(Shard shard, int replicas) {}
}
