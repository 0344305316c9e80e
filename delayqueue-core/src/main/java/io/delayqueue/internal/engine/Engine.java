// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.sharding.ShardMigrations;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.TaskStore;

/**
 * What the triggers of a process share.
 *
 * @param store where tasks are
 * @param servers how those of the store answer
 * @param settler ends leases
 * @param renewer renews leases
 * @param deadTrimmer drops dead tasks that are not to be kept
 * @param threads on which they scan and deliver
 * @param layouts how the queues are spread over their shards
 * @param movers move tasks between shards when that has changed
 * @param quarantine told of tasks that are put aside
 */
public record Engine(
        TaskStore store,
        ServerWatches servers,
        Settler settler,
        LeaseRenewer renewer,
        DeadTrimmer deadTrimmer,
        EngineThreads threads,
        QueueLayouts layouts,
        ShardMigrations movers,
        QuarantineListeners quarantine)
        implements AutoCloseable {

    /** Starts the parts over a store. Nobody hears of what is put aside. */
    public static Engine over(TaskStore store, LayoutStore layoutStore, QueueLayouts layouts) {
        return over(store, layoutStore, layouts, QuarantineListeners.NONE);
    }

    /** Starts the parts over a store. */
    public static Engine over(
            TaskStore store, LayoutStore layoutStore, QueueLayouts layouts, QuarantineListeners quarantine) {
        ServerWatches servers = new ServerWatches(store);
        return new Engine(
                store,
                servers,
                new Settler(store, servers),
                new LeaseRenewer(store),
                new DeadTrimmer(store, layouts),
                new EngineThreads(),
                layouts,
                new ShardMigrations(store, layoutStore, layouts),
                quarantine);
    }

    /** Ends the threads. To be called when every trigger has stopped and the store is still there. */
    @Override
    public void close() {
        movers.close();
        threads.close();
        deadTrimmer.close();
        renewer.close();
        settler.close();
    }
}
