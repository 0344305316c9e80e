// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.DueTime;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes leases on due tasks, and does what their holder does with them. */
record InMemoryLeaseStore(MemoryCalls calls) implements LeaseStore {

    @Override
    public CompletableFuture<Acquisition> acquire(Shard name, AcquireRequest request) {
        return calls.on(name, (shard, now) -> new AcquireOperation(shard, now, request).acquire());
    }

    @Override
    public CompletableFuture<List<Boolean>> settle(Shard name, List<Settlement> settlements) {
        return calls.on(name, settlements.size(), (shard, now) -> {
            Long head = shard.tasks.earliest();
            Map<String, Long> orders = orders(shard, now, settlements);
            return settlements.stream()
                    .map(one -> settle(shard, now, one, orders, head))
                    .toList();
        });
    }

    /** Of those that come again, by their ids, as though nothing of the call had been done yet. */
    private static Map<String, Long> orders(MemoryShard shard, Now now, List<Settlement> settlements) {
        CallOrders orders = new CallOrders(shard.tasks);
        Map<String, Long> all = new HashMap<>();
        for (Settlement settlement : settlements) {
            MemoryTask task = leased(shard, settlement.id(), settlement.token());
            if (task != null && !task.waits && settlement.verb() == Settlement.Verb.AGAIN) {
                all.put(task.id, orders.next(task.id, moment(now, settlement)));
            }
        }
        return all;
    }

    /** When the next attempt or round may begin. */
    private static long moment(Now now, Settlement settlement) {
        long delay = settlement.delay().plusNanos(999_999).toMillis();
        return Math.min(now.after(delay), DueTime.MAX_EPOCH_MILLIS);
    }

    /** @param orders of those that come again */
    private static boolean settle(
            MemoryShard shard, Now now, Settlement settlement, Map<String, Long> orders, @Nullable Long head) {
        MemoryTask task = leased(shard, settlement.id(), settlement.token());
        if (task == null) {
            return false;
        }
        if (task.waits) {
            if (settlement.uncertain()) {
                task.attempts = task.attempts().with(true, settlement.reason());
            }
            endLease(shard, task, head);
            return false;
        }
        if (settlement.verb() == Settlement.Verb.ACK || settlement.verb() == Settlement.Verb.DISCARD) {
            shard.tasks.remove(task);
            boolean isDead = settlement.isDeath();
            shard.history.note(now, task.id, isDead ? "dead" : "delivered", isDead ? settlement.reason() : null);
            return true;
        }
        task.token = 0;
        long again = moment(now, settlement);
        if (settlement.verb() == Settlement.Verb.AGAIN) {
            task.attempts = null;
            shard.history.note(now, task.id, "again", null);
            task.changeTaskKey();
            task.order = Objects.requireNonNull(orders.get(task.id));
            task.due = again;
            shard.tasks.await(task, 0);
            shard.wakeIfEarlier(again, head);
            return true;
        }
        task.order = 0;
        Attempts before = task.attempts().with(settlement.uncertain() || task.isUncertain(), settlement.reason());
        task.attempts = settlement.countsAsFailure() ? before.failed(now.millis(), settlement.reason()) : before;
        boolean isDead = settlement.verb() == Settlement.Verb.DEAD;
        if (isDead || settlement.countsAsFailure()) {
            shard.history.note(now, task.id, isDead ? "dead" : "retried", settlement.reason());
        }
        if (isDead) {
            shard.tasks.move(task, true, now.millis());
        } else {
            shard.tasks.move(task, false, again);
            shard.wakeIfEarlier(again, head);
        }
        return true;
    }

    @Override
    public CompletableFuture<List<Boolean>> release(Shard name, List<LeaseRef> leases) {
        return calls.on(name, leases.size(), (shard, now) -> {
            Long head = shard.tasks.earliest();
            return leases.stream().map(lease -> release(shard, lease, head)).toList();
        });
    }

    private static boolean release(MemoryShard shard, LeaseRef lease, @Nullable Long head) {
        MemoryTask task = leased(shard, lease.id(), lease.token());
        if (task == null) {
            return false;
        }
        endLease(shard, task, head);
        return true;
    }

    /** The task is due as though there had been no lease. */
    private static void endLease(MemoryShard shard, MemoryTask task, @Nullable Long head) {
        task.token = 0;
        task.waits = false;
        shard.tasks.await(task, 0);
        shard.wakeIfEarlier(task.due, head);
    }

    @Override
    public CompletableFuture<List<Renewal>> renew(Shard name, List<LeaseRef> leases, Duration lease) {
        return calls.on(name, leases.size(), (shard, now) -> {
            long longest = Math.min(lease.toMillis(), DueTime.MAX_EPOCH_MILLIS);
            long deadline = Math.min(now.millis() + longest, DueTime.MAX_EPOCH_MILLIS);
            return leases.stream().map(ref -> renew(shard, ref, deadline)).toList();
        });
    }

    private static Renewal renew(MemoryShard shard, LeaseRef ref, long deadline) {
        MemoryTask task = leased(shard, ref.id(), ref.token());
        if (task == null) {
            return Renewal.LOST;
        }
        if (deadline > task.leaseEnd) {
            task.leaseEnd = deadline;
            if (task.waits) {
                shard.tasks.await(task, deadline);
            } else {
                shard.tasks.move(task, false, deadline);
            }
        }
        return task.waits ? Renewal.HELD_WHILE_ANOTHER_WAITS : Renewal.HELD;
    }

    private static @Nullable MemoryTask leased(MemoryShard shard, String id, long token) {
        MemoryTask task = shard.tasks.get(id);
        return task != null && task.isLeasedUnder(token) ? task : null;
    }
}
