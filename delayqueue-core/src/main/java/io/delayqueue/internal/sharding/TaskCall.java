// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * A call on one task that is known by its id, and what its answers mean.
 *
 * @param inShard makes the call in one shard
 * @param found whether an answer says that the task was there
 * @param ofBoth what to answer when the task was found twice, as after the death of a process that migrated it
 */
record TaskCall<R>(
        BiFunction<Shard, LayoutVersion, CompletableFuture<R>> inShard, Predicate<R> found, BinaryOperator<R> ofBoth) {

    /** @param count of the replicas that know */
    static TaskCall<CancelOutcome> cancel(TaskStore store, String id, ReplicaCount count) {
        return new TaskCall<>(
                (shard, layout) ->
                        count.noted(TaskCall::wasThere, store.tasks().cancel(shard, layout, id, count.toAskFor())),
                TaskCall::wasThere,
                (first, second) -> first == CancelOutcome.IN_FLIGHT ? first : second);
    }

    /** @param count of the replicas that know */
    static TaskCall<RescheduleOutcome> reschedule(TaskStore store, String id, DueTime due, ReplicaCount count) {
        return new TaskCall<>(
                (shard, layout) -> count.noted(
                        TaskCall::wasThere, store.tasks().reschedule(shard, layout, id, due, count.toAskFor())),
                TaskCall::wasThere,
                (first, second) -> first == RescheduleOutcome.IN_FLIGHT ? first : second);
    }

    /** @param count of the replicas that know */
    static TaskCall<UpdateOutcome> update(TaskStore store, String id, NewPayload payload, ReplicaCount count) {
        return new TaskCall<>(
                (shard, layout) -> count.noted(
                        TaskCall::wasThere, store.tasks().update(shard, layout, id, payload, count.toAskFor())),
                TaskCall::wasThere,
                (first, second) -> first == UpdateOutcome.IN_FLIGHT ? first : second);
    }

    static TaskCall<Optional<StoredTask>> find(TaskStore store, String id) {
        return new TaskCall<>(
                (shard, layout) -> store.tasks().find(shard, layout, id),
                Optional::isPresent,
                (first, second) -> first);
    }

    private static boolean wasThere(CancelOutcome outcome) {
        return outcome != CancelOutcome.NOT_FOUND;
    }

    private static boolean wasThere(UpdateOutcome outcome) {
        return outcome != UpdateOutcome.NOT_FOUND;
    }

    private static boolean wasThere(RescheduleOutcome outcome) {
        return outcome != RescheduleOutcome.NOT_FOUND;
    }

    boolean isFound(R answer) {
        return found.test(answer);
    }

    R both(R first, R second) {
        return ofBoth.apply(first, second);
    }
}
