// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.internal.sharding.TaskCall;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/** The calls on one task that is known by its id. */
final class TaskCalls {

    private TaskCalls() {}

    static TaskCall<CancelOutcome> cancel(TaskStore store, String id) {
        return cancelling((shard, layout) -> store.cancel(shard, layout, id));
    }

    static TaskCall<RescheduleOutcome> reschedule(TaskStore store, String id, DueTime due) {
        return rescheduling((shard, layout) -> store.reschedule(shard, layout, id, due));
    }

    /** The same, which tells how many replicas know. */
    static TaskCall<CancelOutcome> cancel(TaskStore store, String id, int replicas, ReplicaCount count) {
        return cancelling((shard, layout) -> count.counting(
                TaskCalls::isFound,
                () -> store.cancel(shard, layout, id, replicas),
                () -> store.cancel(shard, layout, id)));
    }

    /** The same, which tells how many replicas know. */
    static TaskCall<RescheduleOutcome> reschedule(
            TaskStore store, String id, DueTime due, int replicas, ReplicaCount count) {
        return rescheduling((shard, layout) -> count.counting(
                TaskCalls::isFound,
                () -> store.reschedule(shard, layout, id, due, replicas),
                () -> store.reschedule(shard, layout, id, due)));
    }

    private static TaskCall<CancelOutcome> cancelling(
            BiFunction<Shard, LayoutVersion, CompletableFuture<CancelOutcome>> call) {
        return call(call, TaskCalls::isFound, (first, second) -> first == CancelOutcome.IN_FLIGHT ? first : second);
    }

    private static TaskCall<RescheduleOutcome> rescheduling(
            BiFunction<Shard, LayoutVersion, CompletableFuture<RescheduleOutcome>> call) {
        return call(call, TaskCalls::isFound, (first, second) -> first == RescheduleOutcome.IN_FLIGHT ? first : second);
    }

    private static boolean isFound(CancelOutcome outcome) {
        return outcome != CancelOutcome.NOT_FOUND;
    }

    private static boolean isFound(RescheduleOutcome outcome) {
        return outcome != RescheduleOutcome.NOT_FOUND;
    }

    static TaskCall<Optional<StoredTask>> find(TaskStore store, String id) {
        return call((shard, layout) -> store.find(shard, layout, id), Optional::isPresent, (first, second) -> first);
    }

    private static <R> TaskCall<R> call(
            BiFunction<Shard, LayoutVersion, CompletableFuture<R>> call, Predicate<R> isFound, BinaryOperator<R> both) {
        return new TaskCall<>() {
            @Override
            public CompletableFuture<R> in(Shard shard, LayoutVersion layout) {
                return call.apply(shard, layout);
            }

            @Override
            public boolean isFound(R answer) {
                return isFound.test(answer);
            }

            @Override
            public R both(R first, R second) {
                return both.apply(first, second);
            }
        };
    }
}
