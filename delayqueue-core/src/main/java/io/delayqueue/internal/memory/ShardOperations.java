// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.memory.TaskTable.Place;
import io.delayqueue.internal.store.ShardPurge;
import io.delayqueue.internal.store.ShardStats;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;

/** What is done with a shard as a whole: counts, a pause, a purge. */
record ShardOperations(MemoryShard shard, Now now) {

    ShardStats stats() {
        NavigableSet<Place> live = shard.tasks.live();
        Long head = shard.tasks.earliest();
        return new ShardStats(
                live.size(),
                live.headSet(Place.behind(now.millis()), false).size(),
                live.stream().filter(place -> shard.tasks.at(place).isLeased()).count(),
                shard.tasks.dead().size(),
                head == null ? null : Instant.ofEpochMilli(head),
                shard.pausedSince != null,
                shard.paceFreeFrom(now));
    }

    boolean pause() {
        if (shard.pausedSince != null) {
            return false;
        }
        shard.pausedSince = now.millis();
        return true;
    }

    boolean resume() {
        if (shard.pausedSince == null) {
            return false;
        }
        shard.pausedSince = null;
        shard.wake();
        return true;
    }

    /** Live tasks go first. Those that migrate to another shard stay. */
    ShardPurge purge(int limit) {
        List<MemoryTask> live = free(shard.tasks.live(), limit);
        List<MemoryTask> dead = free(shard.tasks.dead(), limit).stream()
                .limit(limit - live.size())
                .toList();
        int leased = (int) live.stream().filter(MemoryTask::isLeased).count();
        live.forEach(shard.tasks::remove);
        dead.forEach(shard.tasks::remove);
        return new ShardPurge(live.size(), leased, dead.size(), shard.tasks.byId().size());
    }

    private List<MemoryTask> free(NavigableSet<Place> places, int limit) {
        return places.stream()
                .limit(limit)
                .map(shard.tasks::at)
                .filter(task -> !task.isHeld(now))
                .toList();
    }
}
