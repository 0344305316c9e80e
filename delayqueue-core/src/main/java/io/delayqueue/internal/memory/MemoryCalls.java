// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;

/**
 * Makes calls on shards of a memory, each under the lock of its shard and at one moment of the clock.
 *
 * @param clock read once in each call; may be moved at any time, also back
 * @param historyLengths how many entries the history of a queue has for each shard; 0 for none
 */
record MemoryCalls(SharedMemory memory, InstantSource clock, ToIntFunction<String> historyLengths) {

    /** One that carries so many tasks. */
    <T> CompletableFuture<T> on(Shard name, int tasks, BiFunction<MemoryShard, Now, T> operation) {
        TaskStore.checkBatch(tasks);
        return on(name, operation);
    }

    <T> CompletableFuture<T> on(Shard name, BiFunction<MemoryShard, Now, T> operation) {
        MemoryShard shard = memory.shard(name);
        T answer;
        boolean wakes;
        synchronized (shard) {
            shard.history.keep(historyLengths.applyAsInt(name.queue()));
            try {
                answer = operation.apply(shard, Now.of(clock));
            } catch (DelayQueueException ex) {
                return CompletableFuture.failedFuture(ex);
            }
            wakes = shard.takeWake();
        }
        if (wakes) {
            memory.wakeSignals().wake(name);
        }
        return CompletableFuture.completedFuture(answer);
    }
}
