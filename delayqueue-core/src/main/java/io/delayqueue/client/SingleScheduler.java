// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.calls.OutstandingCalls;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Schedules single tasks; those that are scheduled at the same time in one shard share calls. */
final class SingleScheduler {

    private final ShardedTasks shardedTasks;
    private final CallThreads calling;
    private final ScheduleAnswers answers;
    private final OutstandingCalls outstanding;
    private final BoundedWait wait;
    private final long timeoutNanos;
    private final ConcurrentMap<Shard, ShardScheduler> shards = new ConcurrentHashMap<>();
    private final ConcurrentMap<Lane, ShardScheduler> replicated = new ConcurrentHashMap<>();

    SingleScheduler(
            ShardedTasks shardedTasks,
            CallThreads calling,
            ScheduleAnswers answers,
            OutstandingCalls outstanding,
            BoundedWait wait,
            ClientOptions options) {
        this.shardedTasks = shardedTasks;
        this.calling = calling;
        this.wait = wait;
        this.answers = answers;
        this.outstanding = outstanding;
        this.timeoutNanos = options.callTimeout().toNanos();
    }

    ScheduleResult schedule(RoutedTask routed) {
        PendingSchedule schedule = PendingSchedule.of(routed, true, timeoutNanos);
        of(routed).offer(schedule);
        return routed.result(wait.answer(schedule.answer(), schedule::giveUp));
    }

    /**
     * Does not block. The future completes on one of the threads for stages.
     *
     * @throws io.delayqueue.TaskStoreBusyException if too much waits already
     */
    CompletableFuture<ScheduleResult> scheduleAsync(RoutedTask routed) {
        PendingSchedule schedule = PendingSchedule.of(routed, false, timeoutNanos);
        outstanding.enter(routed.shard().queue(), schedule.id(), schedule.size());
        CompletableFuture<ScheduleResult> stage = new CompletableFuture<>();
        schedule.answer().whenComplete((reply, error) -> {
            outstanding.leave(schedule.size());
            try {
                complete(stage, routed, reply, error);
            } finally {
                outstanding.end();
            }
        });
        of(routed).offer(schedule);
        return stage;
    }

    private static void complete(
            CompletableFuture<ScheduleResult> stage,
            RoutedTask routed,
            @Nullable ScheduleReply reply,
            @Nullable Throwable error) {
        ScheduleResult result;
        try {
            if (error != null || reply == null) {
                stage.completeExceptionally(error);
                return;
            }
            result = routed.result(reply);
        } catch (TaskNotReplicatedException ex) {
            stage.completeExceptionally(ex);
            return;
        }
        stage.complete(result);
    }

    /** Those that wait for replicas do not hold up the others. */
    private ShardScheduler of(RoutedTask routed) {
        Shard shard = routed.shard();
        int replicas = routed.task().replicas();
        if (replicas > 0) {
            return replicated.computeIfAbsent(
                    new Lane(shard, replicas), lane -> new ShardScheduler(shard, shardedTasks, calling, answers));
        }
        ShardScheduler known = shards.get(shard);
        return (known != null)
                ? known
                : shards.computeIfAbsent(shard, s -> new ShardScheduler(s, shardedTasks, calling, answers));
    }

    private record Lane(Shard shard, int replicas) {}
}
