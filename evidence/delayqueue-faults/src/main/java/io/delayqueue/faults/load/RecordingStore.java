// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Leases of a store; writes down each that is given, put off and ended, and what is dropped instead. */
final class RecordingStore implements LeaseStore {

    private final LeaseStore store;
    private final HistoryWriter history;
    private final AtomicLong settlings = new AtomicLong();

    private RecordingStore(LeaseStore store, HistoryWriter history) {
        this.store = store;
        this.history = history;
    }

    static TaskStore around(TaskStore store, HistoryWriter history) {
        RecordingStore leases = new RecordingStore(store.leases(), history);
        return (TaskStore) Proxy.newProxyInstance(
                TaskStore.class.getClassLoader(),
                new Class<?>[] {TaskStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("leases") ? leases : call(store, method, arguments));
    }

    private static @Nullable Object call(TaskStore store, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause() != null ? ex.getCause() : ex;
        }
    }

    @Override
    public CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request) {
        long sent = HistoryWriter.micros();
        return store.acquire(shard, request).thenApply(acquisition -> {
            for (AcquiredTask task : acquisition.tasks()) {
                history.write(new Event.Acquired(
                        shard.queue(),
                        shard.index(),
                        task.id(),
                        acquisition.token(),
                        task.dueAt().toEpochMilli(),
                        task.failures(),
                        task.leaseExpiries(),
                        acquisition.serverMicros(),
                        request.lease().toMillis(),
                        sent));
            }
            acquisition
                    .dead()
                    .forEach((id, reason) -> history.write(
                            new Event.Dropped(shard.queue(), shard.index(), id, reason, acquisition.serverMicros())));
            return acquisition;
        });
    }

    @Override
    public CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements) {
        List<Long> numbers = new ArrayList<>(settlements.size());
        for (Settlement settlement : settlements) {
            numbers.add(settling(
                    shard,
                    new LeaseRef(settlement.id(), settlement.token()),
                    Event.Ending.valueOf(settlement.verb().name()),
                    settlement.uncertain(),
                    settlement.verb() == Settlement.Verb.RETRY
                            ? (Long) settlement.delay().toMillis()
                            : null));
        }
        return store.settle(shard, settlements).whenComplete((accepted, error) -> settled(numbers, accepted));
    }

    @Override
    public CompletableFuture<List<Boolean>> release(Shard shard, List<LeaseRef> leases) {
        List<Long> numbers = new ArrayList<>(leases.size());
        for (LeaseRef lease : leases) {
            numbers.add(settling(shard, lease, Event.Ending.RELEASE, false, null));
        }
        return store.release(shard, leases).whenComplete((accepted, error) -> settled(numbers, accepted));
    }

    private long settling(
            Shard shard, LeaseRef lease, Event.Ending ending, boolean uncertain, @Nullable Long delayMillis) {
        long number = settlings.incrementAndGet();
        history.write(new Event.Settling(
                number, shard.queue(), shard.index(), lease.id(), lease.token(), ending, uncertain, delayMillis));
        return number;
    }

    private void settled(List<Long> numbers, @Nullable List<Boolean> accepted) {
        for (int i = 0; i < numbers.size(); i++) {
            history.write(new Event.Settled(numbers.get(i), accepted != null ? accepted.get(i) : null));
        }
    }

    @Override
    public CompletableFuture<List<Renewal>> renew(Shard shard, List<LeaseRef> leases, Duration time) {
        return store.renew(shard, leases, time).whenComplete((renewals, error) -> {
            for (int i = 0; i < leases.size(); i++) {
                LeaseRef lease = leases.get(i);
                history.write(new Event.Renewed(
                        shard.queue(),
                        shard.index(),
                        lease.id(),
                        lease.token(),
                        time.toMillis(),
                        renewals != null ? renewals.get(i).isHeld() : null));
            }
        });
    }
}
