// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.StoredTask;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a client does with one task, by its id. */
record TaskOperations(MemoryShard shard, Now now) {

    CancelOutcome cancel(LayoutVersion layout, String id) {
        shard.fence(layout);
        MemoryTask task = live(id);
        if (task == null) {
            return CancelOutcome.NOT_FOUND;
        }
        shard.refuseIfHeld(task, now);
        shard.tasks.remove(task);
        return task.isInFlight() ? CancelOutcome.IN_FLIGHT : CancelOutcome.CANCELLED;
    }

    RescheduleOutcome reschedule(LayoutVersion layout, String id, DueTime dueTime) {
        long due = now.due(dueTime);
        Long head = shard.tasks.earliest();
        shard.fence(layout);
        MemoryTask task = live(id);
        if (task == null) {
            return RescheduleOutcome.NOT_FOUND;
        }
        shard.refuseIfHeld(task, now);
        boolean inFlight = task.isInFlight();
        if (inFlight) {
            Attempts before = Objects.requireNonNullElse(task.attempts, Attempts.uncertain("moved during a delivery"));
            task.attempts = new Attempts(before.failures(), before.leaseExpiries(), true, before.reason());
            task.changeTaskKey();
        }
        task.token = 0;
        task.hold = null;
        task.due = due;
        shard.tasks.move(task, false, due);
        shard.wakeIfEarlier(due, head);
        return inFlight ? RescheduleOutcome.IN_FLIGHT : RescheduleOutcome.RESCHEDULED;
    }

    Optional<StoredTask> find(LayoutVersion layout, String id) {
        shard.fence(layout);
        return Optional.ofNullable(shard.tasks.get(id)).map(task -> task.stored(true));
    }

    private @Nullable MemoryTask live(String id) {
        MemoryTask task = shard.tasks.get(id);
        return task != null && !task.dead ? task : null;
    }
}
