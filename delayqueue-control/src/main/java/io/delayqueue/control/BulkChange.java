// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.IdOutcome;
import io.delayqueue.InvalidTaskIdException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.admin.PacedDueTimes;
import io.delayqueue.internal.sharding.QueueLayout;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Does what an operation is for to some tasks at a time. What was done is not done again when the same is asked for once more:
 * a task that is cancelled or redriven is not found, and one that has its new due time is passed over.
 */
final class BulkChange {

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;
    private final PacedDueTimes dueTimes;
    private final BulkRequest request;

    BulkChange(DelayQueueAdmin admin, DelayQueueOperations tasks, PacedDueTimes dueTimes, BulkRequest request) {
        this.admin = admin;
        this.tasks = tasks;
        this.dueTimes = dueTimes;
        this.request = request;
    }

    /**
     * Returns the moment that decides which tasks the operation is for: the new due time, or, for tasks that are to be delivered now,
     * what the clock of Redis says. Null for an operation that takes all tasks.
     */
    @Nullable
    Instant dueTime() {
        return request.action() == BulkAction.DELIVER ? admin.now(request.queue()) : request.to();
    }

    /**
     * Whether there is anything to do to a task.
     *
     * @param dueAt the {@linkplain #dueTime due time} of when the operation began
     */
    boolean isFor(TaskView task, @Nullable Instant dueAt) {
        return switch (request.action()) {
            case DELIVER -> task.nextAttentionAt().isAfter(needed(dueAt));
            case RESCHEDULE -> !task.nextAttentionAt().equals(needed(dueAt));
            case CANCEL, REDRIVE, DISCARD -> true;
        };
    }

    /** What became of some tasks. */
    record Result(long done, @Nullable DelayQueueException error) {}

    /** @param dueAt as in {@link #isFor} */
    Result apply(List<TaskView> found, @Nullable Instant dueAt) {
        String queue = request.queue();
        List<String> ids = found.stream().map(TaskView::id).toList();
        return switch (request.action()) {
            case CANCEL -> byId(ids, some -> tasks.cancelAll(queue, some));
            case RESCHEDULE -> byId(ids, some -> tasks.rescheduleAll(queue, some, needed(dueAt)));
            case DELIVER -> deliver(found);
            case REDRIVE ->
                byShard(
                        ids,
                        some -> admin.redrive(queue, some, needed(request.perSecond()))
                                .redriven());
            case DISCARD -> byShard(ids, some -> admin.discard(queue, some));
        };
    }

    /** Leaves tasks alone that are due before their turn. */
    private Result deliver(List<TaskView> found) {
        List<Instant> turns = dueTimes.reserve(request.queue(), found.size(), needed(request.perSecond()));
        Map<String, Instant> due = new LinkedHashMap<>();
        for (int i = 0; i < found.size(); i++) {
            if (turns.get(i).isBefore(found.get(i).nextAttentionAt())) {
                due.put(found.get(i).id(), turns.get(i));
            }
        }
        return byId(
                List.copyOf(due.keySet()),
                some -> tasks.rescheduleAll(
                        request.queue(), some.stream().collect(Collectors.toMap(Function.identity(), due::get))));
    }

    /** A call for each shard, up to the first that fails: what was done in those before it counts. */
    private Result byShard(List<String> ids, ToLongFunction<List<String>> call) {
        QueueLayout layout = QueueLayout.initial(admin.layout(request.queue()).shards());
        Map<Integer, List<String>> shards =
                ids.stream().collect(Collectors.groupingBy(layout::homeOf, TreeMap::new, Collectors.toList()));
        long done = 0;
        for (List<String> some : shards.values()) {
            try {
                done += call.applyAsLong(some);
            } catch (DelayQueueException ex) {
                return new Result(done, ex);
            }
        }
        return new Result(done, null);
    }

    private <O extends Enum<O>> Result byId(List<String> ids, Function<List<String>, List<IdOutcome<O>>> call) {
        try {
            return result(call.apply(ids));
        } catch (InvalidTaskIdException ex) {
            // Something else has left an id that cannot be one, for which all are refused. The others are changed.
            return ids.size() == 1
                    ? new Result(0, null)
                    : ids.stream()
                            .map(id -> byId(List.of(id), call))
                            .reduce(
                                    new Result(0, null),
                                    (one, other) -> new Result(
                                            one.done() + other.done(),
                                            one.error() == null ? other.error() : one.error()));
        }
    }

    private static <O extends Enum<O>> Result result(List<IdOutcome<O>> outcomes) {
        long done = 0;
        DelayQueueException error = null;
        for (IdOutcome<O> each : outcomes) {
            O outcome = each.outcome();
            if (outcome != null && !outcome.name().equals("NOT_FOUND")) {
                done++;
            }
            error = error == null ? each.error() : error;
        }
        return new Result(done, error);
    }

    private <T> T needed(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(request.action() + " has no due time or no pace");
        }
        return value;
    }
}
