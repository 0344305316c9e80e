// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Renews the leases of running deliveries, for all triggers of a process, each time a third of the lease has passed. A
 * failed renewal is retried after the next third, so two renewals may fail before a lease expires. Releases deliveries
 * that have waited too long behind another one, so that an idle worker of any process may take them. Does not block.
 */
record LeaseRenewer(TaskStore store, Scheduler scheduler) {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);

    /** How long a delivery waits for its turn before it is released; less if the lease is short. */
    private static final Duration LONGEST_TURN = Duration.ofSeconds(1);

    /**
     * Maximum time that a task waits for an earlier delivery with its id, in a queue without {@code handler.timeout}.
     */
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    /**
     * Renews active leases until the returned handle is cancelled.
     *
     * @param gathersFor how long a delivery waits for its batch to fill up; zero without batches; null if a delivery
     *     may wait for its turn without limit because no other process would take it
     */
    Scheduler.Scheduled watch(Set<LeasedDelivery> active, QueueSettings queue, @Nullable Duration gathersFor) {
        Duration period = period(queue.lease());
        Duration turn = (gathersFor == null)
                ? null
                : gathersFor.plus(period.compareTo(LONGEST_TURN) < 0 ? period : LONGEST_TURN);
        return scheduler.every(period, period, () -> renewAll(active, queue, turn));
    }

    private static Duration period(Duration lease) {
        return Duration.ofMillis(Math.max(1, lease.toMillis() / 3));
    }

    /** Blocks until the store has replied or timed out. */
    boolean renew(LeasedDelivery delivery, Duration lease) {
        return await(delivery.source(), List.of(delivery), lease, "'" + delivery.id() + "'")
                .get(0)
                .isHeld();
    }

    private List<Renewal> await(Shard shard, List<LeasedDelivery> batch, Duration lease, String what) {
        return new BoundedWait(store.callTimeout())
                .answer(renew(shard, batch, lease, lost -> {}), "Queue '" + shard.queue() + "', renew " + what);
    }

    /**
     * Renews leases, and returns the deliveries whose lease is still valid and has no task waiting for its end. Blocks
     * until the store has replied or timed out.
     */
    List<LeasedDelivery> confirmed(List<LeasedDelivery> deliveries, Duration lease) {
        List<LeasedDelivery> confirmed = new ArrayList<>(deliveries.size());
        inBatches(deliveries, (shard, batch) -> {
            List<Renewal> renewals = await(shard, batch, lease, batch.size() + " leases");
            for (int i = 0; i < batch.size(); i++) {
                if (renewals.get(i) == Renewal.HELD) {
                    confirmed.add(batch.get(i));
                } else {
                    batch.get(i).lease().lost();
                }
            }
        });
        return confirmed;
    }

    /** Renews a lease, and runs the step if the store no longer has it. Does not block. */
    void ifLeaseIsGone(LeasedDelivery delivery, Duration lease, Runnable step) {
        renew(delivery.source(), List.of(delivery), lease, lost -> {}).thenAccept(renewals -> {
            if (!renewals.get(0).isHeld()) {
                step.run();
            }
        });
    }

    private void renewAll(Set<LeasedDelivery> active, QueueSettings queue, @Nullable Duration turn) {
        List<LeasedDelivery> renewable = active.stream()
                .filter(delivery -> !isReleased(delivery, turn) && mayRenew(delivery, queue))
                .toList();
        inBatches(
                renewable,
                (shard, batch) -> Guard.call(() -> renew(shard, batch, queue.lease(), LeaseRenewer::warnOfLost))
                        .whenComplete((renewals, error) -> {
                            if (error != null) {
                                Guard.tell(() -> log.atLevel(TaskFailures.isOutage(error) ? Level.DEBUG : Level.WARN)
                                        .log(
                                                "Shard {}: could not renew {} leases: {}",
                                                shard,
                                                batch.size(),
                                                error.toString()));
                            }
                        }));
    }

    private static void warnOfLost(LeasedDelivery delivery) {
        Guard.tell(() -> log.warn(
                "Queue '{}': the lease of task '{}' ended during its delivery. The task was cancelled, or it may be"
                        + " delivered again",
                delivery.queue(),
                delivery.id()));
    }

    /**
     * Releases a delivery that has waited too long for its turn, and returns whether it did. The wait is measured
     * separately from the lease, because each renewal restarts the lease.
     */
    private static boolean isReleased(LeasedDelivery delivery, @Nullable Duration turn) {
        return turn != null && delivery.waited().compareTo(turn) >= 0 && delivery.releaseUnlessBegun();
    }

    /**
     * Returns whether the lease may be renewed although a task may be waiting for the end of this delivery. The wait is
     * detected at the latest one period after it started.
     */
    private static boolean mayRenew(LeasedDelivery delivery, QueueSettings queue) {
        Duration waited = delivery.lease().waited();
        if (waited == null) {
            return true;
        }
        Duration timeout = queue.handlerTimeout();
        Duration longest = (timeout != null) ? timeout : LONGEST_WAIT;
        Duration next = waited.plus(period(queue.lease())).plus(queue.lease());
        if (next.compareTo(longest) <= 0) {
            return true;
        }
        if (delivery.lease().abandon()) {
            Guard.tell(() -> log.warn(
                    "Queue '{}': task '{}' was scheduled or rescheduled during its delivery, which is still running. "
                            + "Its lease is no longer renewed; when the lease expires, in {} ms, the new task is delivered, "
                            + "even if the old delivery is still running",
                    delivery.queue(),
                    delivery.id(),
                    Math.max(0, delivery.lease().remaining().toMillis())));
        }
        return false;
    }

    /**
     * Makes one call for each batch of deliveries. An id may be active twice, if its lease was lost and then acquired
     * again; each call contains it once.
     */
    private static void inBatches(List<LeasedDelivery> deliveries, BiConsumer<Shard, List<LeasedDelivery>> call) {
        deliveries.stream()
                .collect(Collectors.groupingBy(LeasedDelivery::source))
                .forEach((shard, ofShard) -> {
                    List<LeasedDelivery> batch = new ArrayList<>();
                    Set<String> ids = new HashSet<>();
                    for (LeasedDelivery delivery : ofShard) {
                        if (batch.size() == TaskStore.MAX_BATCH || !ids.add(delivery.id())) {
                            call.accept(shard, batch);
                            batch = new ArrayList<>();
                            ids.clear();
                            ids.add(delivery.id());
                        }
                        batch.add(delivery);
                    }
                    call.accept(shard, batch);
                });
    }

    /**
     * Renews leases with one call, and records the results in their deliveries.
     *
     * @param lost receives each delivery in progress whose lease turns out to be lost
     */
    private CompletableFuture<List<Renewal>> renew(
            Shard shard, List<LeasedDelivery> batch, Duration lease, Consumer<LeasedDelivery> lost) {
        long end = System.nanoTime() + lease.toNanos();
        List<LeaseRef> refs = batch.stream()
                .map(delivery -> new LeaseRef(delivery.id(), delivery.fencingToken()))
                .toList();
        return store.leases().renew(shard, refs, lease).thenApply(renewals -> {
            for (int i = 0; i < batch.size(); i++) {
                note(batch.get(i), renewals.get(i), end, lost);
            }
            return renewals;
        });
    }

    private static void note(LeasedDelivery delivery, Renewal renewal, long end, Consumer<LeasedDelivery> lost) {
        if (renewal.isHeld()) {
            delivery.lease().renewedUntil(end);
            if (renewal == Renewal.HELD_WHILE_ANOTHER_WAITS) {
                delivery.lease().waitedFor();
            }
        } else if (!delivery.isEnded()) {
            boolean wasLost = delivery.lease().isLost();
            delivery.lease().lost();
            if (!wasLost) {
                lost.accept(delivery);
            }
        }
    }
}
