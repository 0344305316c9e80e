// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.LongestWait;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores tasks, each new or in conflict with one of its id, as its policy says. */
final class ScheduleOperation {

    private final MemoryShard shard;
    private final Now now;
    private final boolean onlyStored;
    private final long lastToken;
    private final CallOrders orders;
    private final Set<String> stored = new HashSet<>();
    /** Those of them that are not due later than the task that they replace was, or that replace none. */
    private final Set<String> sooner = new HashSet<>();

    ScheduleOperation(MemoryShard shard, Now now, boolean onlyStored) {
        this.shard = shard;
        this.now = now;
        this.onlyStored = onlyStored;
        this.lastToken = shard.token;
        this.orders = new CallOrders(shard.tasks);
    }

    List<ScheduleReply> schedule(LayoutVersion layout, long leastToken, List<NewTask> tasks) {
        List<Long> dues = tasks.stream().map(task -> now.due(task.due())).toList();
        shard.fence(layout);
        int replicas = tasks.stream().mapToInt(NewTask::replicas).max().orElse(0);
        List<ScheduleReply> replies = new ArrayList<>(tasks.size());
        for (int i = 0; i < tasks.size(); i++) {
            replies.add(schedule(tasks.get(i), dues.get(i)).on(replicas));
        }
        if (!stored.isEmpty()) {
            shard.raiseToken(leastToken);
            if (sooner.contains(shard.tasks.live().first().id())) {
                shard.wake();
            }
        }
        return replies;
    }

    /** All of them, or where one is kept or migrates none. */
    List<ScheduleReply> scheduleTogether(LayoutVersion layout, List<NewTask> tasks) {
        List<Long> dues = tasks.stream().map(task -> now.due(task.due())).toList();
        boolean refused = false;
        List<ScheduleReply> replies = new ArrayList<>(tasks.size());
        for (int i = 0; i < tasks.size(); i++) {
            MemoryTask old = shard.tasks.get(tasks.get(i).id());
            ScheduleReply reply = old == null ? null : unchanged(old, tasks.get(i), dues.get(i));
            boolean repeated = old != null && old.isOfRequest(tasks.get(i).requestId());
            refused |= reply != null && !repeated;
            replies.add(reply == null ? ScheduleReply.LEFT_OUT : reply);
        }
        if (!refused) {
            return schedule(layout, 0, tasks);
        }
        shard.fence(layout);
        return replies;
    }

    /** The reply to a task that changes nothing; null for one that is stored. */
    private @Nullable ScheduleReply unchanged(MemoryTask old, NewTask task, long due) {
        if (old.isHeld(now)) {
            return ScheduleReply.MIGRATING;
        }
        if (old.isOfRequest(task.requestId())) {
            return new ScheduleReply(old.outcome, Instant.ofEpochMilli(old.due));
        }
        return keeps(old, task.conflictPolicy(), due)
                ? new ScheduleReply(ScheduleOutcome.KEPT, Instant.ofEpochMilli(old.due))
                : null;
    }

    private ScheduleReply schedule(NewTask asked, long dueAsked) {
        MemoryTask old = shard.tasks.get(asked.id());
        Long last = lastMoment(asked, old);
        NewTask task = (last == null) ? asked : until(asked, last);
        // What is said now is as old as this call: where the last moment has passed it is due now, and not too late.
        long due = (last == null) ? dueAsked : Math.min(dueAsked, Math.max(last, now.millis()));
        if (old == null) {
            return onlyStored ? ScheduleReply.absent(lastToken) : store(task, due, ScheduleOutcome.CREATED);
        }
        ScheduleReply unchanged = unchanged(old, task, due);
        if (unchanged != null) {
            return unchanged;
        }
        boolean waits = task.order().oneAtATime() && old.isLeased() && old.leaseEnd > now.millis();
        boolean later = !old.dead && Math.max(due, waits ? old.leaseEnd : 0) >= old.moment;
        ScheduleReply reply =
                store(task, due, old.isInFlight() ? ScheduleOutcome.REPLACED_IN_FLIGHT : ScheduleOutcome.REPLACED);
        MemoryTask entry = Objects.requireNonNull(shard.tasks.get(task.id()));
        if (waits) {
            entry.token = old.token;
            entry.holder = old.holder;
            entry.leaseEnd = old.leaseEnd;
            entry.waits = true;
            shard.tasks.await(entry, old.leaseEnd);
        }
        if (old.isInFlight() && !(waits && !old.isUncertain())) {
            entry.attempts = Attempts.uncertain(Attempts.REPLACED);
        }
        if (later) {
            sooner.remove(task.id());
        }
        return reply;
    }

    /** Until when calls may put it off: counted from the first of them since a delivery began. Null if nothing is to bound that. */
    private @Nullable Long lastMoment(NewTask task, @Nullable MemoryTask old) {
        Long wait = LongestWait.millis(task.content().headers());
        if (task.conflictPolicy() != ConflictPolicy.DEBOUNCE || wait == null) {
            return null;
        }
        long last = Math.min(now.after(wait), DueTime.MAX_EPOCH_MILLIS);
        if (old == null || hasBegun(old)) {
            return last;
        }
        Long known = LongestWait.lastMoment(old.content.headers());
        // One that is due later than that is so by another call, or in another round.
        if (known == null || (known < now.millis() && old.due > now.millis())) {
            return last;
        }
        return Math.min(last, known);
    }

    private static boolean hasBegun(MemoryTask task) {
        return task.dead || (task.isLeased() && !task.waits) || task.attempts().hasBegun();
    }

    private static NewTask until(NewTask task, long last) {
        TaskContent content = task.content();
        return new NewTask(
                task.id(),
                task.requestId(),
                task.due(),
                task.conflictPolicy(),
                new TaskContent(
                        content.contentType(),
                        LongestWait.until(content.headers(), last),
                        content.payload(),
                        content.shardKey()),
                task.replicas(),
                task.order());
    }

    private static boolean keeps(MemoryTask old, ConflictPolicy policy, long due) {
        return switch (policy) {
            case REPLACE, DEBOUNCE -> false;
            case KEEP -> true;
            case THROTTLE -> !old.dead;
            case EARLIEST -> !old.dead && due >= old.due;
            case LATEST -> !old.dead && due <= old.due;
        };
    }

    private ScheduleReply store(NewTask task, long due, ScheduleOutcome outcome) {
        MemoryTask entry = new MemoryTask(task.id(), task.requestId(), outcome, task.content(), due);
        entry.order = task.order().amongEquals() ? orders.next(task.id(), due) : 0;
        shard.tasks.put(entry, false, due);
        stored.add(task.id());
        sooner.add(task.id());
        return new ScheduleReply(outcome, Instant.ofEpochMilli(due));
    }
}
