// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.store.Shard;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What the stores of several clients in one JVM have in common, as those of several processes have a Redis. */
public final class SharedMemory {

    private final ConcurrentMap<Shard, MemoryShard> shards = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, MemoryQueue> queues = new ConcurrentHashMap<>();
    private final InMemoryWakeSignals wakeSignals = new InMemoryWakeSignals();

    /** Tells those that listen here what calls of all stores mean for them. */
    public InMemoryWakeSignals wakeSignals() {
        return wakeSignals;
    }

    MemoryShard shard(Shard name) {
        return shards.computeIfAbsent(name, MemoryShard::new);
    }

    MemoryQueue queue(String name) {
        return queues.computeIfAbsent(name, ignored -> new MemoryQueue());
    }

    Collection<MemoryShard> shards() {
        return shards.values();
    }

    Collection<MemoryQueue> queues() {
        return queues.values();
    }
}
