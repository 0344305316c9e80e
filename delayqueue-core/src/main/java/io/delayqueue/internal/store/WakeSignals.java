// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.concurrent.CompletableFuture;

/**
 * Tells pollers that a shard has work earlier than they know. Only a hint: when signals are lost, tasks are late by the
 * idle interval at most.
 */
public interface WakeSignals {

    /** Does nothing: pollers then rely on their own reckoning and on the longest idle interval. */
    WakeSignals NONE = (queue, listener) -> () -> {};

    /**
     * Listens to a queue until the registration is closed. Returns at once; the listener is called on a thread of the
     * driver and must not block.
     */
    Registration listen(String queue, Listener listener);

    /**
     * Asks the process that delivers a cancelled task to end that. Does not block.
     *
     * @return completes when a process has answered that its delivery has ended, which may be never; to be cancelled when
     *     nobody waits any more
     */
    default CompletableFuture<Void> askToEnd(String queue, String id) {
        return new CompletableFuture<>();
    }

    /** One who listens. Closing it ends that. */
    interface Registration extends AutoCloseable {

        /** Whether signals of this queue are known to arrive here now. Asked often, by any thread; does not block. */
        default boolean arrive() {
            return false;
        }

        /** Asks the other processes to scan this shard, for this one cannot. Does not block; may be lost. */
        default void callForHelp(int shard) {}

        @Override
        void close();
    }

    /** Called when a queue may have work. */
    interface Listener {

        /** A task became the earliest of this shard. */
        void wake(int shard);

        /** Signals may have been lost, as after a reconnect: look at every shard. */
        void wakeAll();

        /** The number of shards has changed, or may have. */
        default void shardingChanged() {}

        /** The owner of this shard cannot carry what is due: look at it, whoever owns it. */
        default void help(int shard) {
            wake(shard);
        }

        /**
         * A task was cancelled, and a delivery of it here is to end.
         *
         * @param ended to be run when such a delivery has ended; not if there is none
         */
        default void endDelivery(String id, Runnable ended) {}
    }
}
