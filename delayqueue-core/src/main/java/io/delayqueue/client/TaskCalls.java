// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.store.LayoutStamp;
import io.delayqueue.store.Shard;
import io.delayqueue.store.StoredTask;
import io.delayqueue.store.TaskStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/** The calls on one task that is known by its id. */
final class TaskCalls {

    private TaskCalls() {}

    static ById<CancelOutcome> cancel(TaskStore store, String id) {
        return call(
                (shard, layout) -> store.cancel(shard, layout, id),
                outcome -> outcome != CancelOutcome.NOT_FOUND,
                (first, second) -> first == CancelOutcome.IN_FLIGHT ? first : second);
    }

    static ById<RescheduleOutcome> reschedule(TaskStore store, String id, DueTime due) {
        return call(
                (shard, layout) -> store.reschedule(shard, layout, id, due),
                outcome -> outcome != RescheduleOutcome.NOT_FOUND,
                (first, second) -> first == RescheduleOutcome.IN_FLIGHT ? first : second);
    }

    /** The same, which tells how many replicas know. */
    static ById<CancelOutcome> cancel(TaskStore store, String id, int replicas, ReplicaCount count) {
        return call(
                (shard, layout) -> store.cancel(shard, layout, id, replicas).thenApply(reply -> {
                    count.note(reply.answer() != CancelOutcome.NOT_FOUND, reply.replicas());
                    return reply.answer();
                }),
                outcome -> outcome != CancelOutcome.NOT_FOUND,
                (first, second) -> first == CancelOutcome.IN_FLIGHT ? first : second);
    }

    /** The same, which tells how many replicas know. */
    static ById<RescheduleOutcome> reschedule(
            TaskStore store, String id, DueTime due, int replicas, ReplicaCount count) {
        return call(
                (shard, layout) -> store.reschedule(shard, layout, id, due, replicas)
                        .thenApply(reply -> {
                            count.note(reply.answer() != RescheduleOutcome.NOT_FOUND, reply.replicas());
                            return reply.answer();
                        }),
                outcome -> outcome != RescheduleOutcome.NOT_FOUND,
                (first, second) -> first == RescheduleOutcome.IN_FLIGHT ? first : second);
    }

    static ById<Optional<StoredTask>> find(TaskStore store, String id) {
        return call((shard, layout) -> store.find(shard, layout, id), Optional::isPresent, (first, second) -> first);
    }

    private static <R> ById<R> call(
            BiFunction<Shard, LayoutStamp, CompletableFuture<R>> call, Predicate<R> isFound, BinaryOperator<R> both) {
        return new ById<>() {
            @Override
            public CompletableFuture<R> in(Shard shard, LayoutStamp layout) {
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
