// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Stores tasks, each new or in conflict with one of its id, as its policy says. */
final class ScheduleOperation {

    private final MemoryShard shard;
    private final Now now;
    private final boolean onlyStored;
    private final long lastToken;
    private final Set<String> stored = new HashSet<>();
    /** Those of them that are not due later than the task that they replace was, or that replace none. */
    private final Set<String> sooner = new HashSet<>();

    ScheduleOperation(MemoryShard shard, Now now, boolean onlyStored) {
        this.shard = shard;
        this.now = now;
        this.onlyStored = onlyStored;
        this.lastToken = shard.token;
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

    private ScheduleReply schedule(NewTask task, long due) {
        MemoryTask old = shard.tasks.get(task.id());
        if (old == null) {
            return onlyStored ? ScheduleReply.absent(lastToken) : store(task, due, ScheduleOutcome.CREATED);
        }
        if (old.isHeld(now)) {
            return ScheduleReply.MIGRATING;
        }
        if (old.isOfRequest(task.requestId())) {
            return new ScheduleReply(old.outcome, Instant.ofEpochMilli(old.due));
        }
        if (keeps(old, task.conflictPolicy(), due)) {
            return new ScheduleReply(ScheduleOutcome.KEPT, Instant.ofEpochMilli(old.due));
        }
        boolean later = !old.dead && due >= old.moment;
        ScheduleReply reply =
                store(task, due, old.isInFlight() ? ScheduleOutcome.REPLACED_IN_FLIGHT : ScheduleOutcome.REPLACED);
        if (later) {
            sooner.remove(task.id());
        }
        return reply;
    }

    private static boolean keeps(MemoryTask old, ConflictPolicy policy, long due) {
        return switch (policy) {
            case REPLACE -> false;
            case KEEP -> true;
            case EARLIEST -> !old.dead && due >= old.due;
            case LATEST -> !old.dead && due <= old.due;
        };
    }

    private ScheduleReply store(NewTask task, long due, ScheduleOutcome outcome) {
        MemoryTask entry = new MemoryTask(task.id(), task.requestId(), outcome, task.content(), due);
        if (outcome == ScheduleOutcome.REPLACED_IN_FLIGHT) {
            entry.attempts = Attempts.uncertain("replaced during a delivery");
        }
        shard.tasks.put(entry, false, due);
        stored.add(task.id());
        sooner.add(task.id());
        return new ScheduleReply(outcome, Instant.ofEpochMilli(due));
    }
}
