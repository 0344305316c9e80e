// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.memory.TaskTable.Place;
import io.delayqueue.internal.store.DueCountsRequest;
import io.delayqueue.internal.store.LivePosition;
import io.delayqueue.internal.store.LiveTaskStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDueKinds;
import io.delayqueue.internal.store.ShardLivePage;
import io.delayqueue.internal.store.ShardLivePageRequest;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.WaitingTasks;
import io.delayqueue.internal.store.WaitingTasksDone;
import io.delayqueue.queue.OrderSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Reads live tasks, and acts on those that wait, in the order of their moments. */
record InMemoryLiveTaskStore(MemoryCalls calls) implements LiveTaskStore {

    @Override
    public CompletableFuture<ShardLivePage> page(Shard name, ShardLivePageRequest request) {
        return calls.on(name, (shard, now) -> page(shard, request));
    }

    private static ShardLivePage page(MemoryShard shard, ShardLivePageRequest request) {
        List<Place> places = some(shard, request.after(), request.before(), request.looks());
        List<StoredTask> found = new ArrayList<>();
        int looked = 0;
        while (looked < Math.min(places.size(), request.looks()) && found.size() < request.limit()) {
            Place place = places.get(looked++);
            if (place.id().startsWith(request.idPrefix())) {
                found.add(shard.tasks.at(place).stored(false));
            }
        }
        return new ShardLivePage(found, position(places, looked), places.size() > looked);
    }

    /**
     * So many and one more behind a task, or where it is gone from its moment on: some may come again, none is left out.
     */
    private static List<Place> some(MemoryShard shard, LivePosition after, Instant before, int limit) {
        long moment = after.at().toEpochMilli();
        MemoryTask last = shard.tasks.get(after.id());
        NavigableSet<Place> live = shard.tasks.live();
        NavigableSet<Place> rest = last != null && !last.dead && last.moment == moment
                ? live.tailSet(last.place, false)
                : live.tailSet(Place.before(moment), true);
        return rest.stream()
                .takeWhile(next -> next.moment() < before.toEpochMilli())
                .limit(limit + 1L)
                .toList();
    }

    @Override
    public CompletableFuture<List<Long>> dueCounts(Shard name, DueCountsRequest request) {
        return calls.on(name, (shard, now) -> {
            NavigableSet<Place> live = shard.tasks.live();
            List<Long> counts = new ArrayList<>();
            Place from = Place.before(request.from().toEpochMilli());
            counts.add((long) live.headSet(from, false).size());
            for (int slice = 0; slice < request.slices(); slice++) {
                Place until = Place.before(from.moment() + request.width().toMillis());
                counts.add((long) live.subSet(from, until).size());
                from = until;
            }
            counts.add((long) live.tailSet(from, true).size());
            return counts;
        });
    }

    @Override
    public CompletableFuture<ShardDueKinds> dueKinds(Shard name, DueCountsRequest request, String cursor) {
        return calls.on(name, (shard, now) -> {
            long[] leased = new long[request.slices()];
            long[] retried = new long[request.slices()];
            for (Place place : shard.tasks.live()) {
                MemoryTask task = shard.tasks.at(place);
                long slice = Math.floorDiv(
                        place.moment() - request.from().toEpochMilli(),
                        request.width().toMillis());
                if (slice >= 0 && slice < request.slices() && (task.isLeased() || task.attempts != null)) {
                    (task.isLeased() ? leased : retried)[(int) slice]++;
                }
            }
            return new ShardDueKinds(
                    ShardDueKinds.BEGIN,
                    true,
                    LongStream.of(leased).boxed().toList(),
                    LongStream.of(retried).boxed().toList());
        });
    }

    private static @Nullable LivePosition position(List<Place> places, int looked) {
        if (looked == 0) {
            return null;
        }
        Place last = places.get(looked - 1);
        return new LivePosition(Instant.ofEpochMilli(last.moment()), last.id());
    }

    @Override
    public CompletableFuture<WaitingTasksDone> cancelBefore(Shard name, WaitingTasks tasks) {
        return calls.on(
                name,
                (shard, now) -> act(shard, now, tasks, tasks.after(), task -> {
                    shard.tasks.remove(task);
                    shard.history.note(now, task.id, "cancelled", null);
                }));
    }

    @Override
    public CompletableFuture<WaitingTasksDone> deliverBefore(Shard name, WaitingTasks tasks, OrderSettings order) {
        return calls.on(name, (shard, now) -> {
            boolean isDue = tasks.after().at().toEpochMilli() <= now.millis();
            LivePosition after = isDue ? LivePosition.from(Instant.ofEpochMilli(now.millis() + 1)) : tasks.after();
            return act(shard, now, tasks, after, task -> {
                if (task.attempts == null || task.due > now.millis()) {
                    task.due = now.millis();
                }
                task.order = order.amongEquals() ? shard.tasks.nextOrder(task.id, now.millis()) : 0;
                shard.tasks.moveInOrder(task, now.millis());
                shard.history.note(now, task.id, "rescheduled", "to " + Instant.ofEpochMilli(now.millis()));
                shard.wake(); // what was due before may be passed over
            });
        });
    }

    private static WaitingTasksDone act(
            MemoryShard shard, Now now, WaitingTasks tasks, LivePosition after, Consumer<MemoryTask> action) {
        List<Place> places = some(shard, after, tasks.before(), tasks.limit());
        int looked = Math.min(places.size(), tasks.limit());
        int done = 0;
        for (Place place : places.subList(0, looked)) {
            MemoryTask task = shard.tasks.at(place);
            if (!task.isLeased() && !task.isHeld(now)) {
                action.accept(task);
                done++;
            }
        }
        return new WaitingTasksDone(done, looked - done, position(places, looked), places.size() > looked);
    }
}
