// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * State that all scans of a process share.
 *
 * @param threads threads that scan and deliver
 * @param servers records which servers of the store answer
 * @param settlers end leases, one per shard
 * @param renewer renews leases
 * @param deaths reports dead tasks to the application
 */
record EngineParts(
        TaskStore store,
        Shardings shardings,
        Scheduler scheduler,
        EngineThreads threads,
        ServerWatches servers,
        Map<Shard, ShardSettler> settlers,
        LeaseRenewer renewer,
        Deaths deaths,
        EngineHooks hooks,
        LowestLimits limits) {

    EngineParts(TaskStore store, Shardings shardings, Scheduler scheduler, EngineHooks hooks) {
        this(
                store,
                shardings,
                scheduler,
                new EngineThreads(scheduler),
                new ServerWatches(store),
                new ConcurrentHashMap<>(),
                new LeaseRenewer(store, scheduler),
                new Deaths(hooks.deaths(), scheduler),
                hooks,
                new LowestLimits());
    }

    ShardSettler settler(Shard shard) {
        return settlers.computeIfAbsent(shard, any -> new ShardSettler(shard, this));
    }

    /** Renews leases of a queue whose handler, or a check before delivery, may block for longer than a lease. */
    Scheduler.Scheduled renew(QueueDelivery delivery, Set<LeasedDelivery> active, @Nullable Duration gathersFor) {
        boolean deliversOneByOne = delivery.destination().deliversOneByOne();
        return deliversOneByOne || gate(delivery.queue()) != null
                // Deliveries that start together are all being checked, so none waits for another one.
                ? renewer.watch(active, delivery.queue(), deliversOneByOne ? gathersFor : null)
                : () -> {};
    }

    /** Returns the gate for deliveries of a queue before they start; {@code null} for none. */
    @Nullable
    DeliveryGate gate(QueueSettings queue) {
        DeliveryCheck check = hooks.check();
        return check != null && check.concerns(queue.name())
                ? new DeliveryGate(check, renewer, queue, new AtomicBoolean())
                : null;
    }
}
