// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.store.TaskStore;

/**
 * What the triggers of a process share.
 *
 * @param store where tasks are
 * @param settler ends leases
 * @param renewer renews leases
 * @param deadTrimmer drops dead tasks that are not to be kept
 * @param threads on which they scan and deliver
 */
public record Engine(
        TaskStore store, Settler settler, LeaseRenewer renewer, DeadTrimmer deadTrimmer, EngineThreads threads)
        implements AutoCloseable {

    /** Starts the parts over a store. */
    public static Engine over(TaskStore store) {
        return new Engine(
                store, new Settler(store), new LeaseRenewer(store), new DeadTrimmer(store), new EngineThreads());
    }

    /** Ends the threads. To be called when every trigger has stopped and the store is still there. */
    @Override
    public void close() {
        threads.close();
        deadTrimmer.close();
        renewer.close();
        settler.close();
    }
}
