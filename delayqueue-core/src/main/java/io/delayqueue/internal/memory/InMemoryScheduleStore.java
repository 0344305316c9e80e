// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.EncodedPayload;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.queue.OrderSettings;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Stores tasks, and does what a client does with one task by its id. */
record InMemoryScheduleStore(MemoryCalls calls) implements ScheduleStore {

    @Override
    public CompletableFuture<List<ScheduleReply>> schedule(
            Shard name,
            LayoutVersion layout,
            boolean onlyStored,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks) {
        return schedule(
                name,
                tasks.size(),
                permit,
                (shard, now) -> new ScheduleOperation(shard, now, onlyStored).schedule(layout, leastToken, tasks));
    }

    @Override
    public CompletableFuture<List<ScheduleReply>> scheduleTogether(
            Shard name, LayoutVersion layout, SendPermit permit, List<NewTask> tasks) {
        return schedule(
                name,
                tasks.size(),
                permit,
                (shard, now) -> new ScheduleOperation(shard, now, false).scheduleTogether(layout, tasks));
    }

    private CompletableFuture<List<ScheduleReply>> schedule(
            Shard name, int tasks, SendPermit permit, BiFunction<MemoryShard, Now, List<ScheduleReply>> operation) {
        if (!permit.take()) {
            return CompletableFuture.failedFuture(new TaskStoreTimeoutException(
                    "Shard " + name + ": nobody waits for this call any longer; nothing was stored", false, null));
        }
        return calls.on(name, tasks, operation);
    }

    @Override
    public CompletableFuture<CancelOutcome> cancel(Shard name, LayoutVersion layout, String id) {
        return calls.on(name, (shard, now) -> cancel(shard, now, layout, id));
    }

    @Override
    public CompletableFuture<Replicated<CancelOutcome>> cancel(
            Shard name, LayoutVersion layout, String id, int replicas) {
        return cancel(name, layout, id).thenApply(outcome -> new Replicated<>(outcome, replicas));
    }

    private static CancelOutcome cancel(MemoryShard shard, Now now, LayoutVersion layout, String id) {
        shard.fence(layout);
        MemoryTask task = live(shard, id);
        if (task == null) {
            return CancelOutcome.NOT_FOUND;
        }
        shard.refuseIfHeld(task, now);
        shard.tasks.remove(task);
        shard.history.note(now, id, "cancelled", null);
        return task.isInFlight() ? CancelOutcome.IN_FLIGHT : CancelOutcome.CANCELLED;
    }

    @Override
    public CompletableFuture<RescheduleOutcome> reschedule(
            Shard name, LayoutVersion layout, String id, DueTime due, OrderSettings order) {
        return calls.on(name, (shard, now) -> reschedule(shard, now, layout, id, now.due(due), order));
    }

    @Override
    public CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard name, LayoutVersion layout, String id, DueTime due, OrderSettings order, int replicas) {
        return reschedule(name, layout, id, due, order).thenApply(outcome -> new Replicated<>(outcome, replicas));
    }

    private static RescheduleOutcome reschedule(
            MemoryShard shard, Now now, LayoutVersion layout, String id, long due, OrderSettings order) {
        Long head = shard.tasks.earliest();
        shard.fence(layout);
        MemoryTask task = live(shard, id);
        if (task == null) {
            return RescheduleOutcome.NOT_FOUND;
        }
        shard.refuseIfHeld(task, now);
        boolean inFlight = task.isInFlight();
        boolean waits = order.oneAtATime() && task.isLeased() && task.leaseEnd > now.millis();
        if (inFlight) {
            task.changeTaskKey();
        }
        if (inFlight && !waits) {
            Attempts before =
                    Objects.requireNonNullElse(task.attempts, Attempts.uncertain("rescheduled during a delivery"));
            task.attempts = before.with(true, before.reason());
        }
        if (!waits) {
            task.token = 0;
        }
        task.waits = waits;
        task.hold = null;
        task.order = order.amongEquals() ? shard.tasks.nextOrder(id, due) : 0;
        task.due = due;
        shard.tasks.await(task, waits ? task.leaseEnd : 0);
        shard.wakeIfEarlier(task.moment, head);
        shard.history.note(now, id, "rescheduled", "to " + Instant.ofEpochMilli(due));
        return inFlight ? RescheduleOutcome.IN_FLIGHT : RescheduleOutcome.RESCHEDULED;
    }

    @Override
    public CompletableFuture<UpdateOutcome> update(Shard name, LayoutVersion layout, String id, NewPayload update) {
        return calls.on(name, (shard, now) -> {
            shard.fence(layout);
            MemoryTask task = live(shard, id);
            if (task == null) {
                return UpdateOutcome.NOT_FOUND;
            }
            shard.refuseIfHeld(task, now);
            if (task.isInFlight()) {
                return UpdateOutcome.IN_FLIGHT;
            }
            EncodedPayload payload = update.payload();
            task.content = new TaskContent(
                    payload.contentType(),
                    update.headers(task.content.headers()),
                    payload.bytes(),
                    task.content.shardKey());
            return UpdateOutcome.UPDATED;
        });
    }

    @Override
    public CompletableFuture<Replicated<UpdateOutcome>> update(
            Shard name, LayoutVersion layout, String id, NewPayload payload, int replicas) {
        return update(name, layout, id, payload).thenApply(outcome -> new Replicated<>(outcome, replicas));
    }

    @Override
    public CompletableFuture<Optional<StoredTask>> find(Shard name, LayoutVersion layout, String id) {
        return calls.on(name, (shard, now) -> {
            shard.fence(layout);
            return Optional.ofNullable(shard.tasks.get(id)).map(MemoryTask::found);
        });
    }

    private static @Nullable MemoryTask live(MemoryShard shard, String id) {
        MemoryTask task = shard.tasks.get(id);
        return task != null && !task.dead ? task : null;
    }
}
