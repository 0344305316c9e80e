// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.store.DeadTaskStore;
import io.delayqueue.internal.store.GroupStore;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.LiveTaskStore;
import io.delayqueue.internal.store.MigrationStore;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.ShardStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.InstantSource;
import java.util.function.ToIntFunction;

/**
 * Keeps tasks in memory, for tests. Every call is over when it returns: its future is complete, and dependents run on
 * the caller's thread. A call that asks for replicas is answered as though that many had it. No answer is ever lost, no
 * record is ever damaged, and memory has no bound.
 *
 * <p>The clock says what is due and when leases end; nothing happens by itself when it moves. Several stores may share
 * a memory, with clocks of their own.
 */
public record InMemoryTaskStore(
        ScheduleStore tasks,
        LeaseStore leases,
        LiveTaskStore live,
        GroupStore groups,
        DeadTaskStore dead,
        ShardStore shards,
        MigrationStore migrations,
        LayoutStore layouts,
        HistoryStore history)
        implements TaskStore {

    /** @param clock read once in each call; may be moved at any time, also back */
    public InMemoryTaskStore(SharedMemory memory, InstantSource clock) {
        this(memory, clock, queue -> 0);
    }

    /** @param historyLengths how many entries the history of a queue has for each shard; 0 for none */
    public InMemoryTaskStore(SharedMemory memory, InstantSource clock, ToIntFunction<String> historyLengths) {
        this(new MemoryCalls(memory, clock, historyLengths));
    }

    private InMemoryTaskStore(MemoryCalls calls) {
        this(
                new InMemoryScheduleStore(calls),
                new InMemoryLeaseStore(calls),
                new InMemoryLiveTaskStore(calls),
                new InMemoryGroupStore(calls),
                new InMemoryDeadTaskStore(calls),
                new InMemoryShardStore(calls),
                new InMemoryMigrationStore(calls),
                new InMemoryLayoutStore(calls.memory(), calls.clock()),
                new InMemoryHistoryStore(calls));
    }
}
