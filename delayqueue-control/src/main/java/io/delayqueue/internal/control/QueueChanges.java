// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.control.AuditTrail.Change;
import io.delayqueue.internal.control.AuditTrail.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes a queue or one of its tasks on behalf of a caller. {@link AuditTrail} checks and records each change. Calls
 * block and throw like those of {@link DelayQueueAdmin} and {@link DelayQueueOperations}, and throw {@link
 * AccessRefusedException} without the required permission.
 */
public final class QueueChanges {

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;
    private final AuditTrail audit;
    private final Scans scans;
    private final TaskPages pages;
    private final BiFunction<String, String, Optional<TaskDetails>> find;

    /** @param find finds a task by its queue and id */
    QueueChanges(
            DelayQueueAdmin admin,
            DelayQueueOperations tasks,
            AuditTrail audit,
            Scans scans,
            TaskPages pages,
            BiFunction<String, String, Optional<TaskDetails>> find) {
        this.admin = admin;
        this.tasks = tasks;
        this.audit = audit;
        this.scans = scans;
        this.pages = pages;
        this.find = find;
    }

    /** Requires {@link QueuePermission#SCHEDULE}. */
    public ScheduleOutcome schedule(Caller caller, ScheduleRequest<?> request) {
        Instant dueAt = Instant.ofEpochMilli(request.due().millis());
        return audit.make(
                new Change(
                        caller, "schedule", request.queue(), Map.of("id", request.id(), "to", String.valueOf(dueAt))),
                QueuePermission.SCHEDULE,
                () -> tasks.schedule(request).outcome(),
                outcome -> new Outcome(outcome.name(), outcome == ScheduleOutcome.KEPT ? 0 : 1));
    }

    /** @param seen cancels the task only if this is its next attention; null for any */
    public CancelOutcome cancel(Caller caller, String queue, String id, @Nullable Instant seen) {
        Supplier<CancelOutcome> cancel = () -> seen == null
                ? tasks.cancel(queue, id)
                : unlessChanged(queue, id, seen, admin.cancel(queue, id, seen), CancelOutcome.NOT_FOUND);
        return change(caller, "cancel", queue, Map.of("id", id), cancel, Outcome::of);
    }

    /** @param seen changes the task only if this is its next attention; null for any */
    public RescheduleOutcome reschedule(Caller caller, String queue, String id, Instant to, @Nullable Instant seen) {
        Map<String, String> details = Map.of("id", id, "to", to.toString());
        return change(caller, "reschedule", queue, details, () -> reschedule(queue, id, Due.at(to), seen), Outcome::of);
    }

    private RescheduleOutcome reschedule(String queue, String id, Due due, @Nullable Instant seen) {
        return seen == null
                ? tasks.reschedule(queue, id, due)
                : unlessChanged(queue, id, seen, admin.reschedule(queue, id, due, seen), RescheduleOutcome.NOT_FOUND);
    }

    /**
     * Returns the outcome of a change that compares the task first.
     *
     * @throws TaskChangedException if the task was not changed because its next attention is another one
     */
    private <T> T unlessChanged(String queue, String id, Instant seen, T outcome, T notFound) {
        if (outcome.equals(notFound)) {
            find.apply(queue, id)
                    .filter(task -> !task.nextAttentionAt().equals(seen))
                    .ifPresent(task -> {
                        throw new TaskChangedException(task);
                    });
        }
        return outcome;
    }

    /**
     * Moves a task's due time, or the time of its next retry, by a duration. If that time has passed, moves it relative
     * to now.
     *
     * @param by shift of the due time; negative for earlier
     * @param seen changes the task only if this is its next attention; null for any
     */
    public RescheduleOutcome postpone(Caller caller, String queue, String id, Duration by, @Nullable Instant seen) {
        Supplier<RescheduleOutcome> move = () -> find.apply(queue, id)
                .map(task -> reschedule(
                        queue,
                        id,
                        Due.at(DueShift.later(due(task, by), by)),
                        seen == null ? task.nextAttentionAt() : seen))
                .orElse(RescheduleOutcome.NOT_FOUND);
        return change(caller, "postpone", queue, Map.of("id", id, "by", by.toString()), move, Outcome::of);
    }

    /** Returns the time from which to move a task. For a retry or an overdue task, the due time is in the past. */
    private Instant due(TaskDetails task, Duration by) {
        Instant due = task.state() == TaskState.SCHEDULED ? task.ownTime() : task.dueAt();
        Instant now = admin.now(task.queue());
        return by.isNegative() || due.isAfter(now) ? due : now;
    }

    /**
     * Makes a task due now. Does not change a task that is already due, because it would then come after later tasks,
     * nor a task in progress, because it would be delivered again.
     *
     * @param seen changes the task only if this is its next attention; null for any
     */
    public RescheduleOutcome deliverNow(Caller caller, String queue, String id, @Nullable Instant seen) {
        Supplier<RescheduleOutcome> deliver = () -> find.apply(queue, id)
                .map(task -> deliverNow(task, seen == null ? task.nextAttentionAt() : seen))
                .orElse(RescheduleOutcome.NOT_FOUND);
        return change(caller, "deliver", queue, Map.of("id", id), deliver, Outcome::of);
    }

    private RescheduleOutcome deliverNow(TaskDetails task, Instant seen) {
        boolean isLeased = task.state() == TaskState.LEASED;
        // The due time of a leased task is in the future if it was set during the delivery.
        Instant due = isLeased ? task.dueAt() : task.ownTime();
        boolean isDue = task.state() != TaskState.DEAD && !due.isAfter(admin.now(task.queue()));
        if (!isDue || seen.isBefore(task.ownTime()) || seen.isAfter(task.nextAttentionAt())) {
            return reschedule(task.queue(), task.id(), Due.now(), seen);
        }
        return isLeased ? RescheduleOutcome.IN_FLIGHT : RescheduleOutcome.RESCHEDULED;
    }

    /** @param seen redrives the task only if it died at this time; null for any */
    public boolean redrive(Caller caller, String queue, String id, @Nullable Instant seen) {
        Supplier<Boolean> redrive = () -> seen == null
                ? admin.redrive(queue, id)
                : unlessChanged(queue, id, seen, admin.redrive(queue, id, seen), false);
        return change(caller, "redrive", queue, Map.of("id", id), redrive, Outcome::of);
    }

    /**
     * Redrives the newest dead tasks that match a filter, as a trial. If a call for a shard fails, the tasks of earlier
     * shards remain redriven, and the audit entry records how many there are.
     *
     * @param most maximum number of tasks, 1 to 500
     * @return the number of redriven tasks
     */
    public long redriveFirst(Caller caller, String queue, TaskFilter filter, int most) {
        Map<String, String> details = new LinkedHashMap<>(filter.asText());
        details.put("first", String.valueOf(most));
        BulkChange.Result result = change(
                caller,
                "redrive",
                queue,
                details,
                () -> redriveNewest(caller, queue, filter, most),
                redriven -> new Outcome(
                        redriven.error() == null
                                ? "done"
                                : AuditTrail.FAILED + redriven.error().getMessage(),
                        redriven.done()));
        DelayQueueException error = result.error();
        if (error != null) {
            throw error;
        }
        return result.done();
    }

    private BulkChange.Result redriveNewest(Caller caller, String queue, TaskFilter filter, int most) {
        List<String> ids = scans
                .run(caller, Duration.ZERO, () -> pages.read(queue, TaskState.DEAD, filter, true, most, null))
                .tasks()
                .stream()
                .map(TaskView::id)
                .toList();
        return BulkChange.byShard(
                admin, queue, ids, some -> admin.redrive(queue, some).redriven());
    }

    /**
     * See {@link DelayQueueAdmin#discard(String, String)}.
     *
     * @param seen deletes the task only if it died at this time; null for any
     */
    public boolean discard(Caller caller, String queue, String id, @Nullable Instant seen) {
        Supplier<Boolean> discard = () -> seen == null
                ? admin.discard(queue, id)
                : unlessChanged(queue, id, seen, admin.discard(queue, id, seen), false);
        return change(caller, "discard", queue, Map.of("id", id), discard, Outcome::of);
    }

    /**
     * See {@link DelayQueueAdmin#pause(String, String, String, Duration)}.
     *
     * @param time length of the pause; null to pause until it is resumed
     */
    public void pause(Caller caller, String queue, String reason, @Nullable Duration time) {
        Map<String, String> details = new LinkedHashMap<>();
        if (time != null) {
            details.put("for", time.toString());
        }
        if (!reason.isEmpty()) {
            details.put("reason", reason);
        }
        change(caller, "pause", queue, details, () -> admin.pause(queue, caller.name(), reason, time));
    }

    public void resume(Caller caller, String queue) {
        change(caller, "resume", queue, Map.of(), () -> admin.resume(queue));
    }

    public void setKeyLimits(Caller caller, String queue, String key, KeyLimits limits) {
        Map<String, String> details = Map.of("key", key, "limits", limits.toString());
        change(caller, "limit-key", queue, details, () -> admin.setKeyLimits(queue, key, limits));
    }

    /** @throws IllegalArgumentException if the end is not in the future, by the clock of Redis */
    public void closeKey(Caller caller, String queue, String key, Instant until) {
        Map<String, String> details =
                Map.of("key", key, "until", until.equals(Instant.MAX) ? "opened" : until.toString());
        change(caller, "close-key", queue, details, () -> {
            if (!until.isAfter(admin.now(queue))) {
                throw new IllegalArgumentException(
                        "Queue '" + queue + "': a key can only be closed until a time in the future, not " + until);
            }
            admin.closeKey(queue, key, until);
        });
    }

    public void openKey(Caller caller, String queue, String key) {
        change(caller, "open-key", queue, Map.of("key", key), () -> admin.openKey(queue, key));
    }

    public QueueSharding reshard(Caller caller, String queue, int shards) {
        return change(
                caller,
                "reshard",
                queue,
                Map.of("shards", String.valueOf(shards)),
                () -> admin.reshard(queue, shards),
                sharding -> new Outcome("done", 0));
    }

    public PurgeResult purge(Caller caller, String queue, String confirmQueueName) {
        return change(
                caller,
                "purge",
                queue,
                Map.of("confirm", confirmQueueName),
                () -> admin.purge(queue, confirmQueueName),
                purged -> new Outcome("done, left " + purged.left(), purged.live() + purged.dead()));
    }

    private void change(Caller caller, String action, String queue, Map<String, String> details, Runnable act) {
        Supplier<Boolean> step = () -> {
            act.run();
            return true;
        };
        change(caller, action, queue, details, step, done -> new Outcome("done", 0));
    }

    private <T> T change(
            Caller caller,
            String action,
            String queue,
            Map<String, String> details,
            Supplier<T> act,
            Function<T, Outcome> outcome) {
        return audit.make(new Change(caller, action, queue, details), act, outcome);
    }
}
