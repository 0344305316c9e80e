// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.memory.MemoryQueue.Claim;
import io.delayqueue.internal.store.LayoutRecord;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Keeps layouts in memory. Every call is over when it returns. */
record InMemoryLayoutStore(SharedMemory memory, InstantSource clock) implements LayoutStore {

    @Override
    public CompletableFuture<LayoutRecord> putLayout(
            String queue, long expectedEpoch, long leastEpoch, String change, boolean lost) {
        MemoryQueue recorded = memory.queue(queue);
        LayoutRecord answer;
        synchronized (recorded) {
            if (change.isEmpty() || LayoutEpoch.of(recorded.layout) != expectedEpoch) {
                return CompletableFuture.completedFuture(new LayoutRecord(false, recorded.layout));
            }
            long lowest = Math.max(expectedEpoch, leastEpoch) + 1;
            long epoch = lost ? lowest : Math.max(lowest, Now.of(clock).millis());
            recorded.layout = "2:" + epoch + ":" + change;
            answer = new LayoutRecord(true, recorded.layout);
        }
        memory.wakeSignals().layoutChanged(queue);
        return CompletableFuture.completedFuture(answer);
    }

    @Override
    public CompletableFuture<String> layoutSeen(Shard name) {
        MemoryShard shard = memory.shard(name);
        synchronized (shard) {
            return CompletableFuture.completedFuture(shard.layout);
        }
    }

    @Override
    public CompletableFuture<Boolean> claimMover(String queue, String owner, Duration time) {
        return claim(queue, recorded -> recorded.mover, owner, time);
    }

    @Override
    public CompletableFuture<Boolean> claimForwarder(String queue, String owner, Duration time) {
        return claim(queue, recorded -> recorded.forwarder, owner, time);
    }

    private CompletableFuture<Boolean> claim(
            String queue, Function<MemoryQueue, Claim> claim, String owner, Duration time) {
        MemoryQueue recorded = memory.queue(queue);
        synchronized (recorded) {
            return CompletableFuture.completedFuture(claim.apply(recorded).take(owner, time.toMillis(), Now.of(clock)));
        }
    }

    @Override
    public CompletableFuture<Boolean> usesShardKeys(String queue, boolean note) {
        MemoryQueue noted = memory.queue(queue);
        synchronized (noted) {
            noted.usesShardKeys |= note;
            return CompletableFuture.completedFuture(noted.usesShardKeys);
        }
    }
}
