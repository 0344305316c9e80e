// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueSettings;
import org.jspecify.annotations.Nullable;

/**
 * What all scans of a process share.
 *
 * @param store where tasks are
 * @param servers how those of the store answer
 * @param settler ends leases
 * @param renewer renews leases
 * @param threads on which they scan and deliver
 * @param layouts how the queues are spread over their shards
 * @param quarantine told of tasks that are quarantined
 * @param deaths told of tasks that have died
 * @param check asked before deliveries begin; null for none
 * @param events told of deliveries
 */
record EngineParts(
        TaskStore store,
        ServerWatches servers,
        Settler settler,
        LeaseRenewer renewer,
        EngineThreads threads,
        QueueLayouts layouts,
        QuarantineListeners quarantine,
        Deaths deaths,
        @Nullable DeliveryCheck check,
        DeliveryEvents events) {

    static EngineParts over(TaskStore store, QueueLayouts layouts, QuarantineListeners quarantine, Deaths deaths) {
        return over(store, layouts, quarantine, deaths, null, DeliveryEvents.NONE);
    }

    static EngineParts over(
            TaskStore store,
            QueueLayouts layouts,
            QuarantineListeners quarantine,
            Deaths deaths,
            @Nullable DeliveryCheck check,
            DeliveryEvents events) {
        ServerWatches servers = new ServerWatches(store);
        return new EngineParts(
                store,
                servers,
                new Settler(store, servers),
                new LeaseRenewer(store),
                new EngineThreads(),
                layouts,
                quarantine,
                deaths,
                check,
                events);
    }

    /** What deliveries of a queue pass before they begin; null for nothing. */
    @Nullable
    DeliveryGate gate(QueueSettings queue) {
        return (check != null && check.concerns(queue.name())) ? new DeliveryGate(check, renewer, queue) : null;
    }
}
