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
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;

/** Leases of a store. Records when leases are acquired, renewed and ended, and which tasks are dropped instead. */
public final class RecordingStore {

    private final HistoryWriter history;
    private final AtomicLong settlings = new AtomicLong();

    private RecordingStore(HistoryWriter history) {
        this.history = history;
    }

    static TaskStore around(TaskStore store, HistoryWriter history) {
        ProxyFactory leases = new ProxyFactory(store.leases());
        leases.setProxyTargetClass(true);
        leases.addAdvice((MethodInterceptor) new RecordingStore(history)::write);
        return copy(store, store.tasks(), (LeaseStore) leases.getProxy(RecordingStore.class.getClassLoader()));
    }

    /** Returns this store with other parts. */
    public static TaskStore copy(TaskStore store, ScheduleStore tasks, LeaseStore leases) {
        return new TaskStore(
                store.scripts(),
                store.callTimeout(),
                tasks,
                leases,
                store.groups(),
                store.dead(),
                store.history(),
                store.migrations(),
                store.shards(),
                store.shardings(),
                store.rates(),
                store.operations(),
                store.queueNotes(),
                store.audit());
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object write(MethodInvocation call) throws Throwable {
        Object[] arguments = call.getArguments();
        return switch (call.getMethod().getName()) {
            case "acquire", "acquireLimited" -> acquire((Shard) arguments[0], (AcquireRequest) arguments[1], call);
            case "settle" -> settle((Shard) arguments[0], (List<Settlement>) arguments[1], call);
            case "renew" -> renew((Shard) arguments[0], (List<LeaseRef>) arguments[1], (Duration) arguments[2], call);
            default -> call.proceed();
        };
    }

    @SuppressWarnings("unchecked")
    private static <T> CompletableFuture<T> proceed(MethodInvocation call) throws Throwable {
        return (CompletableFuture<T>) Objects.requireNonNull(call.proceed());
    }

    private CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request, MethodInvocation call)
            throws Throwable {
        long sent = HistoryWriter.micros();
        return RecordingStore.<Acquisition>proceed(call).thenApply(acquisition -> {
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

    private CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements, MethodInvocation call)
            throws Throwable {
        List<Long> numbers = new ArrayList<>(settlements.size());
        for (Settlement settlement : settlements) {
            numbers.add(settling(
                    shard,
                    new LeaseRef(settlement.id(), settlement.token()),
                    Event.Ending.valueOf(settlement.verb().name()),
                    settlement.uncertain(),
                    settlement.verb() == Settlement.Verb.RETRY
                            ? (Long) settlement.due().millis()
                            : null));
        }
        return RecordingStore.<List<Boolean>>proceed(call)
                .whenComplete((accepted, error) -> settled(numbers, accepted));
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

    private CompletableFuture<List<Renewal>> renew(
            Shard shard, List<LeaseRef> leases, Duration time, MethodInvocation call) throws Throwable {
        return RecordingStore.<List<Renewal>>proceed(call).whenComplete((renewals, error) -> {
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
