// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueAdmin;
import io.delayqueue.QueueStats;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.store.Shard;
import io.delayqueue.store.ShardStats;
import io.delayqueue.store.StoreCalls;
import io.delayqueue.store.TaskStore;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Looks after queues through the task store. */
public final class TaskStoreAdmin implements DelayQueueAdmin {

    private final TaskStore store;
    private final QueueCatalog queues;

    public TaskStoreAdmin(TaskStore store, QueueCatalog queues) {
        this.store = store;
        this.queues = queues;
    }

    @Override
    public Set<String> queues() {
        return queues.names();
    }

    @Override
    public QueueStats stats(String queue) {
        long live = 0;
        long due = 0;
        long leased = 0;
        long dead = 0;
        Instant next = null;
        for (int shard = 0; shard < queues.get(queue).shards(); shard++) {
            ShardStats stats = StoreCalls.await(store.stats(new Shard(queue, shard)));
            live += stats.live();
            due += stats.due();
            leased += stats.leased();
            dead += stats.dead();
            Instant at = stats.nextAttention();
            if (at != null && (next == null || at.isBefore(next))) {
                next = at;
            }
        }
        return new QueueStats(Math.max(0, live - due - leased), due, leased, dead, Optional.ofNullable(next));
    }
}
