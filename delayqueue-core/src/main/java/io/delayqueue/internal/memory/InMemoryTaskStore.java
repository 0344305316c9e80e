// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDeadPage;
import io.delayqueue.internal.store.ShardDeadPageRequest;
import io.delayqueue.internal.store.ShardPurge;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardRedriveRequest;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TrimRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Keeps tasks in memory, for tests. Every call is over when it returns: its future is complete, and dependents run on the
 * caller's thread. A call that asks for replicas is answered as though that many had it. No answer is ever lost, no record
 * is ever damaged, and memory has no bound.
 *
 * <p>The clock says what is due and when leases end; nothing happens by itself when it moves. Several stores may share a
 * memory, with clocks of their own.
 */
public final class InMemoryTaskStore implements TaskStore {

    private final SharedMemory memory;
    private final InstantSource clock;

    /** @param clock read once in each call; may be moved at any time, also back */
    public InMemoryTaskStore(SharedMemory memory, InstantSource clock) {
        this.memory = memory;
        this.clock = clock;
    }

    private <T> CompletableFuture<T> call(Shard name, BiFunction<MemoryShard, Now, T> operation) {
        MemoryShard shard = memory.shard(name);
        T answer;
        boolean wakes;
        synchronized (shard) {
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

    @Override
    public CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard, LayoutVersion layout, boolean onlyStored, long leastToken, List<NewTask> tasks) {
        TaskStore.checkBatch(tasks.size());
        return call(shard, (s, now) -> new ScheduleOperation(s, now, onlyStored).schedule(layout, leastToken, tasks));
    }

    @Override
    public CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request) {
        return call(shard, (s, now) -> new AcquireOperation(s, now, request).acquire());
    }

    @Override
    public CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements) {
        TaskStore.checkBatch(settlements.size());
        return call(shard, (s, now) -> new LeaseOperations(s, now).settle(settlements));
    }

    @Override
    public CompletableFuture<List<Boolean>> release(Shard shard, List<LeaseRef> leases) {
        TaskStore.checkBatch(leases.size());
        return call(shard, (s, now) -> new LeaseOperations(s, now).release(leases));
    }

    @Override
    public CompletableFuture<List<Boolean>> renew(Shard shard, List<LeaseRef> leases, Duration lease) {
        TaskStore.checkBatch(leases.size());
        return call(shard, (s, now) -> new LeaseOperations(s, now).renew(leases, lease));
    }

    @Override
    public CompletableFuture<CancelOutcome> cancel(Shard shard, LayoutVersion layout, String id) {
        return call(shard, (s, now) -> new TaskOperations(s, now).cancel(layout, id));
    }

    @Override
    public CompletableFuture<Replicated<CancelOutcome>> cancel(
            Shard shard, LayoutVersion layout, String id, int replicas) {
        return cancel(shard, layout, id).thenApply(outcome -> new Replicated<>(outcome, replicas));
    }

    @Override
    public CompletableFuture<RescheduleOutcome> reschedule(Shard shard, LayoutVersion layout, String id, DueTime due) {
        return call(shard, (s, now) -> new TaskOperations(s, now).reschedule(layout, id, due));
    }

    @Override
    public CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutVersion layout, String id, DueTime due, int replicas) {
        return reschedule(shard, layout, id, due).thenApply(outcome -> new Replicated<>(outcome, replicas));
    }

    @Override
    public CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutVersion layout, String id) {
        return call(shard, (s, now) -> new TaskOperations(s, now).find(layout, id));
    }

    @Override
    public CompletableFuture<ShardStats> stats(Shard shard) {
        return call(shard, (s, now) -> new ShardOperations(s, now).stats());
    }

    @Override
    public CompletableFuture<ShardDeadPage> deadPage(Shard shard, ShardDeadPageRequest request) {
        return call(shard, (s, now) -> new DeadOperations(s, now).page(request));
    }

    @Override
    public CompletableFuture<ShardRedrive> redrive(Shard shard, LayoutVersion layout, ShardRedriveRequest request) {
        return call(shard, (s, now) -> new DeadOperations(s, now).redrive(layout, request));
    }

    @Override
    public CompletableFuture<List<Boolean>> discard(Shard shard, LayoutVersion layout, List<String> ids) {
        TaskStore.checkBatch(ids.size());
        return call(shard, (s, now) -> new DeadOperations(s, now).discard(layout, ids));
    }

    @Override
    public CompletableFuture<DeadTrim> trimDead(Shard shard, TrimRequest request) {
        return call(shard, (s, now) -> new DeadOperations(s, now).trim(request));
    }

    @Override
    public CompletableFuture<Boolean> pause(Shard shard) {
        return call(shard, (s, now) -> new ShardOperations(s, now).pause());
    }

    @Override
    public CompletableFuture<Boolean> resume(Shard shard) {
        return call(shard, (s, now) -> new ShardOperations(s, now).resume());
    }

    @Override
    public CompletableFuture<ShardPurge> purge(Shard shard, int limit) {
        TaskStore.checkBatch(limit);
        return call(shard, (s, now) -> new ShardOperations(s, now).purge(limit));
    }

    @Override
    public CompletableFuture<MigrationPage> scanForMigration(
            Shard shard, LayoutVersion layout, String cursor, int count) {
        return call(shard, (s, now) -> new MigrationOperations(s, now).scan(layout, cursor, count));
    }

    @Override
    public CompletableFuture<MigrationHold> holdForMigration(
            Shard shard, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes) {
        TaskStore.checkBatch(ids.size());
        return call(shard, (s, now) -> new MigrationOperations(s, now).hold(layout, ids, hold, maxBytes));
    }

    @Override
    public CompletableFuture<Boolean> takeIn(
            Shard shard, LayoutVersion layout, Instant before, long leastToken, List<MigrationHold.Item> tasks) {
        TaskStore.checkBatch(tasks.size());
        return call(shard, (s, now) -> new MigrationOperations(s, now).takeIn(layout, before, leastToken, tasks));
    }

    @Override
    public CompletableFuture<List<Boolean>> endMigration(Shard shard, long token, boolean migrated, List<String> ids) {
        TaskStore.checkBatch(ids.size());
        return call(shard, (s, now) -> new MigrationOperations(s, now).end(token, migrated, ids));
    }

    @Override
    public CompletableFuture<Long> raiseToken(Shard shard, long leastToken) {
        return call(shard, (s, now) -> new MigrationOperations(s, now).raiseToken(leastToken));
    }

    @Override
    public CompletableFuture<Boolean> usesRoutingKeys(String queue, boolean note) {
        MemoryQueue noted = memory.queue(queue);
        synchronized (noted) {
            noted.usesRoutingKeys |= note;
            return CompletableFuture.completedFuture(noted.usesRoutingKeys);
        }
    }
}
