// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.Shard;
import java.util.concurrent.CompletableFuture;

/** Reads histories. They are written by the calls whose doing they tell of. */
record InMemoryHistoryStore(MemoryCalls calls) implements HistoryStore {

    @Override
    public CompletableFuture<Page> page(Shard name, String cursor, int count, String id) {
        return calls.on(name, (shard, now) -> shard.history.page(cursor, count, id));
    }
}
