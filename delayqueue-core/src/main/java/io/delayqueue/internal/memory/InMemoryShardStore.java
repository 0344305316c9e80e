// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.memory.TaskTable.Place;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardOutlook;
import io.delayqueue.internal.store.ShardPurge;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.ShardStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;

/** What is done with a shard as a whole: counts, a pause, a purge. */
record InMemoryShardStore(MemoryCalls calls) implements ShardStore {

    @Override
    public CompletableFuture<ShardStats> stats(Shard name) {
        return calls.on(name, InMemoryShardStore::stats);
    }

    private static ShardStats stats(MemoryShard shard, Now now) {
        NavigableSet<Place> live = shard.tasks.live();
        Long head = shard.tasks.earliest();
        return new ShardStats(
                live.size(),
                live.headSet(Place.behind(now.millis()), false).size(),
                live.stream().filter(place -> shard.tasks.at(place).isLeased()).count(),
                shard.tasks.dead().size(),
                head == null ? null : Instant.ofEpochMilli(head),
                shard.pausedSince != null,
                shard.paceFreeFrom(now),
                Instant.ofEpochMilli(now.millis()));
    }

    @Override
    public CompletableFuture<ShardOutlook> outlook(Shard name, List<Duration> ahead) {
        return calls.on(name, (shard, now) -> outlook(shard, now, ahead));
    }

    private static ShardOutlook outlook(MemoryShard shard, Now now, List<Duration> ahead) {
        ShardStats stats = stats(shard, now);
        NavigableSet<Place> live = shard.tasks.live();
        Instant head = stats.nextAttention();
        long overdue = head == null ? 0 : Math.max(0, now.millis() - head.toEpochMilli());
        return new ShardOutlook(
                stats.live(),
                stats.due(),
                stats.leased(),
                stats.dead(),
                stats.paused(),
                Duration.ofMillis(overdue),
                ahead.stream()
                        .map(time -> (long) live.headSet(Place.behind(now.millis() + time.toMillis()), false)
                                        .size()
                                - stats.due())
                        .toList());
    }

    @Override
    public CompletableFuture<Boolean> pause(Shard name) {
        return calls.on(name, (shard, now) -> {
            if (shard.pausedSince != null) {
                return false;
            }
            shard.pausedSince = now.millis();
            return true;
        });
    }

    @Override
    public CompletableFuture<Boolean> resume(Shard name) {
        return calls.on(name, (shard, now) -> {
            if (shard.pausedSince == null) {
                return false;
            }
            shard.pausedSince = null;
            shard.wake();
            return true;
        });
    }

    @Override
    public CompletableFuture<ShardPurge> purge(Shard name, int limit) {
        return calls.on(name, limit, (shard, now) -> purge(shard, now, limit));
    }

    /** Live tasks go first. Those that migrate to another shard stay. */
    private static ShardPurge purge(MemoryShard shard, Now now, int limit) {
        List<MemoryTask> live = free(shard, now, shard.tasks.live(), limit);
        List<MemoryTask> dead = free(shard, now, shard.tasks.dead(), limit).stream()
                .limit(limit - live.size())
                .toList();
        int leased = (int) live.stream().filter(MemoryTask::isLeased).count();
        live.forEach(shard.tasks::remove);
        dead.forEach(shard.tasks::remove);
        return new ShardPurge(
                live.size(), leased, dead.size(), shard.tasks.byId().size());
    }

    private static List<MemoryTask> free(MemoryShard shard, Now now, NavigableSet<Place> places, int limit) {
        return places.stream()
                .limit(limit)
                .map(shard.tasks::at)
                .filter(task -> !task.isHeld(now))
                .toList();
    }
}
