// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.BatchFailedException;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.BulkAction;
import io.delayqueue.internal.admin.PacedDueTimes;
import io.delayqueue.internal.calls.NewerTaskException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.sharding.Sharding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The change that an operation makes to a page of tasks. A page can be repeated: cancelled and redriven tasks are no
 * longer found, and tasks that already have their new due time are skipped. A task is also changed if it was leased
 * after its page was read.
 */
record BulkChange(DelayQueueAdmin admin, DelayQueueOperations tasks, PacedDueTimes dueTimes, BulkRequest request) {

    static final int PAGE = 500;

    /**
     * How long before their due time an operation redrives tasks, up to one page more. Otherwise a stop would come too
     * late. Live tasks get their due times at once, because tasks that are scheduled later must not be delivered, too.
     */
    private static final Duration AHEAD = Duration.ofSeconds(5);

    /**
     * Returns the time that decides which tasks to change: the new due time, or the current time of Redis to deliver
     * tasks. Null to change all tasks.
     */
    @Nullable
    Instant dueTime() {
        return request.action() == BulkAction.DELIVER ? admin.now(request.queue()) : request.to();
    }

    /**
     * Returns whether to change a task.
     *
     * @param dueAt the {@link #dueTime} at the start of the operation
     */
    boolean isFor(TaskView task, @Nullable Instant dueAt) {
        return switch (request.action()) {
            case DELIVER -> task.nextAttentionAt().isAfter(needed(dueAt));
            // A task that was already moved keeps the new due time while it waits for a retry.
            case RESCHEDULE -> {
                Instant target = target(task, dueAt);
                yield !task.nextAttentionAt().equals(target)
                        && (request.by() != null || !task.dueAt().equals(target));
            }
            case CANCEL, REDRIVE, DISCARD, ERASE -> true;
        };
    }

    /**
     * The result of a page.
     *
     * @param done number of changed tasks
     * @param inFlight number of changed tasks whose delivery had started
     * @param error error that prevented the change of the other tasks; null if they can never be changed
     */
    record Result(long done, long inFlight, @Nullable DelayQueueException error) {

        static final Result NONE = new Result(0, 0, null);

        Result plus(Result other) {
            return new Result(done + other.done, inFlight + other.inFlight, error == null ? other.error : error);
        }
    }

    /** Returns the number of tasks in a page; for a redrive, at most as many as may become due in {@link #AHEAD}. */
    int pageSize() {
        return isStepwise() ? (int) Math.min(PAGE, needed(request.perSecond()) * AHEAD.toSeconds()) : PAGE;
    }

    /** Returns whether enough redriven tasks wait for their due time, so that the operation must wait, too. */
    boolean isAhead() {
        return isStepwise() && dueTimes.ahead(request.queue()).compareTo(AHEAD) > 0;
    }

    private boolean isStepwise() {
        return request.action() == BulkAction.REDRIVE && !request.dryRun();
    }

    /** @param dueAt the {@link #dueTime} at the start of the operation */
    Result apply(List<TaskView> found, @Nullable Instant dueAt) {
        String queue = request.queue();
        List<String> ids = found.stream().map(TaskView::id).toList();
        return switch (request.action()) {
            case CANCEL -> cancel(ids);
            case RESCHEDULE -> reschedule(found, dueAt);
            case DELIVER -> deliver(found);
            case REDRIVE ->
                byShard(
                        admin,
                        queue,
                        ids,
                        some -> admin.redrive(queue, some, needed(request.perSecond()))
                                .redriven());
            case DISCARD -> discard(ids);
            case ERASE -> found.stream().allMatch(task -> task.state() == TaskState.DEAD) ? discard(ids) : cancel(ids);
        };
    }

    private Result cancel(List<String> ids) {
        return byId(ids, some -> tasks.cancel(request.queue(), some));
    }

    private Result discard(List<String> ids) {
        return byShard(admin, request.queue(), ids, some -> admin.discard(request.queue(), some));
    }

    /** Returns the new due time of a task. */
    private Instant target(TaskView task, @Nullable Instant dueAt) {
        Duration by = request.by();
        if (by != null) {
            return DueShift.later(task.nextAttentionAt(), by);
        }
        Duration over = request.over();
        return DueShift.spread(task.id(), needed(dueAt), over == null ? Duration.ZERO : over);
    }

    /** Moves the tasks. Skips those that would be due before 1970 or after the year 9999. */
    private Result reschedule(List<TaskView> found, @Nullable Instant dueAt) {
        Map<String, Due> due = new LinkedHashMap<>();
        for (TaskView task : found) {
            Instant target = target(task, dueAt);
            if (!target.isBefore(Instant.EPOCH) && target.toEpochMilli() <= Due.MAX_EPOCH_MILLIS) {
                due.put(task.id(), Due.at(target));
            }
        }
        return reschedule(due);
    }

    private Result reschedule(Map<String, Due> due) {
        return byId(
                List.copyOf(due.keySet()),
                some -> tasks.reschedule(
                        request.queue(), some.stream().collect(Collectors.toMap(Function.identity(), due::get))));
    }

    /** Makes the tasks due one after another. Skips tasks that are due before their turn. */
    private Result deliver(List<TaskView> found) {
        List<Instant> turns = dueTimes.reserve(request.queue(), found.size(), needed(request.perSecond()));
        Map<String, Due> due = new LinkedHashMap<>();
        for (int i = 0; i < found.size(); i++) {
            if (turns.get(i).isBefore(found.get(i).nextAttentionAt())) {
                due.put(found.get(i).id(), Due.at(turns.get(i)));
            }
        }
        return reschedule(due);
    }

    /** Makes one call per shard until one fails; completed calls count. */
    static Result byShard(DelayQueueAdmin admin, String queue, List<String> ids, ToLongFunction<List<String>> call) {
        Sharding sharding = Sharding.initial(admin.sharding(queue).shards());
        Map<Integer, List<String>> shards =
                ids.stream().collect(Collectors.groupingBy(sharding::homeOf, TreeMap::new, Collectors.toList()));
        long done = 0;
        for (List<String> some : shards.values()) {
            try {
                done += call.applyAsLong(some);
            } catch (DelayQueueException ex) {
                return new Result(done, 0, TaskFailures.afterAPart(ex, done > 0, "the call changed other tasks"));
            }
        }
        return new Result(done, 0, null);
    }

    private <O extends Enum<O>> Result byId(List<String> ids, Function<List<String>, Map<String, O>> call) {
        try {
            return result(List.copyOf(call.apply(ids).values()), null);
        } catch (BatchFailedException ex) {
            return result(ex.lines());
        } catch (InvalidTaskException ex) {
            // An invalid id, stored by another program, makes the call fail for all ids.
            return ids.size() == 1
                    ? Result.NONE
                    : ids.stream().map(id -> byId(List.of(id), call)).reduce(Result.NONE, Result::plus);
        }
    }

    /** Ignores tasks from a newer version. Otherwise, every run would fail at the same page. */
    private static Result result(List<BatchFailedException.Line> lines) {
        List<Enum<?>> outcomes = new ArrayList<>();
        DelayQueueException first = null;
        for (BatchFailedException.Line line : lines) {
            Enum<?> outcome = line.outcome();
            if (outcome != null) {
                outcomes.add(outcome);
            }
            if (first == null && !(line.error() instanceof NewerTaskException)) {
                first = line.error();
            }
        }
        return result(outcomes, first);
    }

    private static Result result(List<? extends Enum<?>> outcomes, @Nullable DelayQueueException error) {
        long inFlight = count(outcomes, "IN_FLIGHT") + count(outcomes, "DISCARDED_DEAD");
        return new Result(outcomes.size() - count(outcomes, "NOT_FOUND"), inFlight, error);
    }

    private static long count(List<? extends Enum<?>> outcomes, String name) {
        return outcomes.stream().filter(outcome -> outcome.name().equals(name)).count();
    }

    private <T> T needed(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(request.action() + " lacks a due time or a rate");
        }
        return value;
    }
}
