// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.SettlementQueue.Item;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ends leases in the store, for all triggers of a process. What a shard has to settle is coalesced: whatever comes
 * while one call is under way goes out in the next. A call that fails is sent again until the lease is long over; then
 * the task is given up to whoever acquires it next. Safe for use by many threads; nothing here blocks.
 */
final class Settler {

    private final TaskStore store;
    private final ServerWatches servers;
    private final Scheduler scheduler;
    private final Map<Shard, ShardSettler> shards = new ConcurrentHashMap<>();

    Settler(TaskStore store, ServerWatches servers, Scheduler scheduler) {
        this.scheduler = scheduler;
        this.store = store;
        this.servers = servers;
    }

    /**
     * Settles a lease.
     *
     * @param patience how long to keep trying when the store cannot be reached
     * @param done run once when the lease is settled, found stale or given up; on the thread that brings the answer, which must not block
     */
    void settle(Shard shard, Settlement settlement, Duration patience, Runnable done) {
        settle(shard, settlement, patience, done, null);
    }

    /** @param notice given when the store has confirmed that the task is dead; on the thread that brings the answer, which must not block */
    void settle(Shard shard, Settlement settlement, Duration patience, Runnable done, @Nullable DeathNotice notice) {
        shard(shard).offer(Item.of(settlement, System.nanoTime() + patience.toNanos(), done, notice));
    }

    /** Releases a lease, with the same patience; if that cannot be done, it ends by time. */
    void release(Shard shard, LeaseRef lease, Duration patience, Runnable done) {
        shard(shard).offer(Item.of(lease, System.nanoTime() + patience.toNanos(), done));
    }

    private ShardSettler shard(Shard shard) {
        return shards.computeIfAbsent(shard, s -> new ShardSettler(s, store, servers, scheduler));
    }
}
