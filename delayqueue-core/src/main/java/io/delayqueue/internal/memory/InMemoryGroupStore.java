// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.DueTime;
import io.delayqueue.GroupTask;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.GroupStore;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.ShardGroupPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Finds the tasks of a group by how their ids begin. */
record InMemoryGroupStore(MemoryCalls calls) implements GroupStore {

    @Override
    public CompletableFuture<ShardGroupPage> page(Shard name, LayoutVersion layout, GroupPosition position) {
        return calls.on(name, (shard, now) -> {
            shard.fence(layout);
            Some some = some(shard, position);
            return page(
                    some,
                    some.tasks().stream().map(InMemoryGroupStore::groupTask).toList());
        });
    }

    @Override
    public CompletableFuture<ShardGroupPage> count(Shard name, LayoutVersion layout, GroupPosition position) {
        return calls.on(name, (shard, now) -> {
            shard.fence(layout);
            return page(some(shard, position), List.of());
        });
    }

    private static ShardGroupPage page(Some some, List<GroupTask> tasks) {
        long dead = some.tasks().stream().filter(task -> task.dead).count();
        return new ShardGroupPage(some.next(), some.tasks().size() - dead, dead, tasks);
    }

    private static GroupTask groupTask(MemoryTask task) {
        return new GroupTask(
                task.id,
                task.dead ? TaskState.DEAD : task.isLeased() ? TaskState.LEASED : TaskState.SCHEDULED,
                Instant.ofEpochMilli(task.due),
                Instant.ofEpochMilli(task.moment));
    }

    private static Some some(MemoryShard shard, GroupPosition position) {
        String prefix = TaskIds.groupPrefix(position.group());
        List<MemoryTask> all =
                shard.tasks.byId().tailMap(position.from().isEmpty() ? prefix : position.from(), true).values().stream()
                        .takeWhile(task -> task.id.startsWith(prefix))
                        .limit(position.limit() + 1L)
                        .toList();
        boolean more = all.size() > position.limit();
        return new Some(more ? all.subList(0, position.limit()) : all, more ? all.get(position.limit()).id : "");
    }

    private record Some(List<MemoryTask> tasks, String next) {}

    @Override
    public CompletableFuture<ShardGroupChange> change(
            Shard name, LayoutVersion layout, GroupPosition position, GroupChange change) {
        return calls.on(name, (shard, now) -> change(shard, now, layout, position, change));
    }

    @Override
    public CompletableFuture<Replicated<ShardGroupChange>> change(
            Shard name, LayoutVersion layout, GroupPosition position, GroupChange change, int replicas) {
        return change(name, layout, position, change).thenApply(done -> new Replicated<>(done, replicas));
    }

    private static ShardGroupChange change(
            MemoryShard shard, Now now, LayoutVersion layout, GroupPosition position, GroupChange change) {
        ShardGroupChange known = shard.shifts.get(change.step());
        if (known != null) {
            return known;
        }
        Long given = change.due() == null ? null : Long.valueOf(now.due(change.due()));
        Long head = shard.tasks.earliest();
        shard.fence(layout);
        Some some = some(shard, position);
        List<MemoryTask> live = some.tasks().stream().filter(task -> !task.dead).toList();
        live.forEach(task -> shard.refuseIfHeld(task, now));
        List<String> begun = new ArrayList<>();
        List<MemoryTask> inTurn =
                live.stream().sorted(Comparator.comparing(task -> task.place)).toList();
        CallOrders orders = new CallOrders(shard.tasks);
        for (MemoryTask task : inTurn) {
            if (task.isInFlight()) {
                begun.add(task.id);
            }
            if (change.verb() == GroupChange.Verb.CANCEL) {
                shard.tasks.remove(task);
                shard.history.note(now, task.id, "cancelled", null);
            } else if (!task.isLeased() || task.waits) {
                putOff(shard, task, given, change, orders);
                shard.history.note(now, task.id, "rescheduled", "to " + Instant.ofEpochMilli(task.due));
                shard.wakeIfEarlier(task.moment, head);
            }
        }
        ShardGroupChange done = new ShardGroupChange(some.next(), live.size() - begun.size(), begun);
        if (!change.step().isEmpty()) {
            shard.shifts.put(change.step(), done);
        }
        return done;
    }

    private static void putOff(
            MemoryShard shard, MemoryTask task, @Nullable Long given, GroupChange change, CallOrders orders) {
        long by = change.shift().toMillis();
        long at = task.waits ? task.due : task.moment;
        long due = Objects.requireNonNullElseGet(given, () -> bounded(task.due + by));
        long moment = Objects.requireNonNullElseGet(given, () -> bounded(at + by));
        if (task.isUncertain()) {
            task.changeTaskKey();
        }
        task.hold = null;
        task.order = change.order().amongEquals() ? orders.next(task.id, moment) : 0;
        task.due = due;
        if (task.waits) {
            shard.tasks.await(task, task.leaseEnd);
        } else {
            shard.tasks.moveInOrder(task, moment);
        }
    }

    private static long bounded(long moment) {
        return Math.max(0, Math.min(moment, DueTime.MAX_EPOCH_MILLIS));
    }
}
