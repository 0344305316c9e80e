// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.memory.TaskTable.Place;
import io.delayqueue.internal.store.DeadTaskStore;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDeadPage;
import io.delayqueue.internal.store.ShardDeadPageRequest;
import io.delayqueue.internal.store.ShardDeadPageRequest.Position;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardRedriveRequest;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TrimRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Dead tasks: reading them, making them live again, and deleting them. */
record InMemoryDeadTaskStore(MemoryCalls calls) implements DeadTaskStore {

    @Override
    public CompletableFuture<ShardDeadPage> page(Shard name, ShardDeadPageRequest request) {
        return calls.on(name, (shard, now) -> page(shard, request));
    }

    private static ShardDeadPage page(MemoryShard shard, ShardDeadPageRequest request) {
        boolean withContent = request.maxBytes() > 0;
        List<StoredTask> page = new ArrayList<>();
        long bytes = 0;
        for (Place place : from(shard, request.after())) {
            if (page.size() == request.limit() || (withContent && bytes > request.maxBytes())) {
                return new ShardDeadPage(page, true);
            }
            MemoryTask task = shard.tasks.at(place);
            page.add(task.stored(withContent));
            bytes += task.size();
        }
        return new ShardDeadPage(page, false);
    }

    /** Behind a task, or where it is gone from its moment on: some may come again, none is left out. */
    private static SortedSet<Place> from(MemoryShard shard, @Nullable Position after) {
        if (after == null) {
            return shard.tasks.dead();
        }
        Place place = new Place(after.diedAt().toEpochMilli(), 0, after.id());
        return shard.tasks.dead().contains(place)
                ? shard.tasks.dead().tailSet(place, false)
                : shard.tasks.dead().tailSet(Place.before(place.moment()), true);
    }

    @Override
    public CompletableFuture<ShardRedrive> redrive(Shard name, LayoutVersion layout, ShardRedriveRequest request) {
        return calls.on(name, (shard, now) -> redrive(shard, now, layout, request));
    }

    private static ShardRedrive redrive(MemoryShard shard, Now now, LayoutVersion layout, ShardRedriveRequest request) {
        Long head = shard.tasks.earliest();
        long gap = request.gapMicros();
        long free = Math.max(Math.max(now.micros(), request.notBeforeMicros()), shard.paceFreeFrom(now));
        List<Boolean> verdicts = new ArrayList<>();
        List<MemoryTask> dead = new ArrayList<>();
        List<Long> dues = new ArrayList<>();
        for (String id : request.ids()) {
            MemoryTask task = dead(shard, id);
            verdicts.add(task != null);
            if (task != null) {
                dues.add(Now.checked(gap > 0 ? -Math.floorDiv(-free, 1_000L) : now.millis()));
                free += gap;
                shard.refuseIfHeld(task, now);
                dead.add(task);
            }
        }
        shard.fence(layout);
        if (dead.isEmpty()) {
            return new ShardRedrive(verdicts, null, free);
        }
        for (int i = 0; i < dead.size(); i++) {
            revive(shard, dead.get(i), dues.get(i));
            shard.history.note(now, dead.get(i).id, "redriven", null);
        }
        if (gap > 0) {
            shard.paceFreeFrom = free;
        }
        shard.wakeIfEarlier(dues.get(0), head);
        return new ShardRedrive(verdicts, Instant.ofEpochMilli(dues.get(dues.size() - 1)), free);
    }

    private static void revive(MemoryShard shard, MemoryTask task, long due) {
        Attempts redriven = task.attempts().redriven();
        task.attempts = redriven.equals(Attempts.NONE) ? null : redriven;
        task.hold = null;
        task.due = due;
        task.order = 0;
        shard.tasks.move(task, false, due);
    }

    @Override
    public CompletableFuture<List<Boolean>> discard(Shard name, LayoutVersion layout, List<String> ids) {
        return discard(name, layout, ids, InMemoryDeadTaskStore::dead);
    }

    @Override
    public CompletableFuture<List<Boolean>> discardDeaths(Shard name, LayoutVersion layout, List<Position> deaths) {
        return discard(name, layout, deaths, InMemoryDeadTaskStore::dead);
    }

    private <T> CompletableFuture<List<Boolean>> discard(
            Shard name, LayoutVersion layout, List<T> wanted, BiFunction<MemoryShard, T, @Nullable MemoryTask> find) {
        return calls.on(
                name,
                wanted.size(),
                (shard, now) -> discard(
                        shard,
                        now,
                        layout,
                        wanted.stream().map(each -> find.apply(shard, each)).toList()));
    }

    private static @Nullable MemoryTask dead(MemoryShard shard, Position death) {
        MemoryTask task = dead(shard, death.id());
        return task != null && task.stored(false).nextAttentionAt().equals(death.diedAt()) ? task : null;
    }

    private static List<Boolean> discard(
            MemoryShard shard, Now now, LayoutVersion layout, List<@Nullable MemoryTask> dead) {
        dead.stream().filter(Objects::nonNull).forEach(task -> shard.refuseIfHeld(task, now));
        shard.fence(layout);
        dead.stream().filter(Objects::nonNull).forEach(task -> {
            shard.tasks.remove(task);
            shard.history.note(now, task.id, "discarded", null);
        });
        return dead.stream().map(Objects::nonNull).toList();
    }

    @Override
    public CompletableFuture<DeadTrim> trim(Shard name, TrimRequest request) {
        return calls.on(name, (shard, now) -> trim(shard, now, request));
    }

    private static DeadTrim trim(MemoryShard shard, Now now, TrimRequest request) {
        long until = now.millis() - request.retention().toMillis();
        SortedSet<Place> old = shard.tasks.dead().headSet(Place.behind(until), false);
        List<MemoryTask> gone = old.stream()
                .limit(request.limit())
                .map(shard.tasks::at)
                .filter(task -> !task.isHeld(now))
                .toList();
        boolean more = !gone.isEmpty() && old.size() > gone.size();
        gone.forEach(shard.tasks::remove);
        return new DeadTrim(more, gone.stream().map(task -> task.id).toList());
    }

    private static @Nullable MemoryTask dead(MemoryShard shard, String id) {
        MemoryTask task = shard.tasks.get(id);
        return task != null && task.dead ? task : null;
    }
}
