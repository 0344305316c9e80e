// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.concurrent.CompletableFuture;

/**
 * Notifies pollers that a shard has work that is due earlier than they know. If signals are lost, tasks are late by at
 * most the idle interval.
 */
public interface WakeSignals {

    /** Sends and receives no signals. Pollers then rely on their own schedule and on the longest idle interval. */
    WakeSignals NONE = (queue, listener) -> () -> {};

    /**
     * Listens to a queue until the registration is closed. Returns at once; the listener is called on a driver's thread
     * and must not block.
     */
    Registration listen(String queue, Listener listener);

    /**
     * Asks the process that delivers a cancelled task to end the delivery. Does not block.
     *
     * @return a future that completes when a process has replied that its delivery has ended, which may never happen.
     *     Cancel it when no caller waits any longer
     */
    default CompletableFuture<Void> askToEnd(String queue, String id) {
        return new CompletableFuture<>();
    }

    /** A listening poller. Close it to stop listening. */
    interface Registration extends AutoCloseable {

        /**
         * Returns whether signals of this queue are known to arrive here now. Called often and by any thread; does not
         * block.
         */
        default boolean arrive() {
            return false;
        }

        /** Asks the other processes to scan this shard, because this one cannot. Does not block; may be lost. */
        default void callForHelp(int shard) {}

        @Override
        void close();
    }

    /** Called when a queue may have work. */
    interface Listener {

        /** Called when a task became the earliest of this shard. */
        void wake(int shard);

        /** Called when signals may have been lost, for example after a reconnect: scan every shard. */
        void wakeAll();

        /** Called when the number of shards has changed, or may have. */
        default void shardingChanged() {}

        /** Called when the owner of this shard cannot take all due tasks: scan it regardless of ownership. */
        default void help(int shard) {
            wake(shard);
        }

        /**
         * Called when a task was cancelled and its delivery here should end.
         *
         * @param ended run when such a delivery has ended; not if there is none
         */
        default void endDelivery(String id, Runnable ended) {}
    }
}
