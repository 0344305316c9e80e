// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.concurrent.CompletableFuture;

/**
 * Connects the pollers of a queue in all processes. A signal tells a poller that a shard has a task that is due earlier
 * than the poller expects. If signals are lost, tasks are late by at most the idle interval.
 *
 * <p>The processes also distribute the shards among themselves. The owner of a shard scans it on time; the others scan
 * it at the longest idle interval. Ownership only affects efficiency. If a shard has two owners, each task still goes
 * to one of them. If a shard has no owner, all processes scan it at the longest idle interval.
 */
public interface WakeSignals {

    /** Neither sends nor receives signals. Every process owns every shard and relies on its own schedule. */
    WakeSignals NONE = (queue, listener) -> () -> {};

    /**
     * Joins the processes that deliver the tasks of a queue until the registration is closed. Returns at once. The
     * driver calls the listener on one of its threads, so it must not block.
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

    /** The registration of a poller. Close it to leave. Its methods are thread-safe, cheap and do not block. */
    interface Registration extends AutoCloseable {

        /** The {@linkplain #place place} of a process that never scans a shard in place of its owner. */
        int NEVER = Integer.MAX_VALUE;

        /** Returns whether this process owns the shard, as far as it knows. */
        default boolean owns(int shard) {
            return true;
        }

        /**
         * Returns how many processes precede this one as owner of the shard: 0 for the owner, and {@link #NEVER} if
         * this process must not scan the shard in place of its owner.
         */
        default int place(int shard) {
            return owns(shard) ? 0 : NEVER;
        }

        /** Leaves all shards to other processes while there are any, or owns its share again. */
        default void leaveToOthers(boolean leave) {}

        /** Returns whether this process is known to receive signals of this queue now. */
        default boolean arrive() {
            return false;
        }

        /** Asks the other processes to scan this shard, because this one cannot. May be lost. */
        default void callForHelp(int shard) {}

        @Override
        void close();
    }

    /** Called when a queue may have work. */
    interface Listener {

        /** Called when a task has become the earliest of this shard. */
        void wake(int shard);

        /**
         * Called to scan every shard, because signals may have been lost (for example during a reconnect) or because
         * this process may own other shards.
         */
        void wakeAll();

        /** Called when the number of shards has changed, or may have. */
        default void shardingChanged() {}

        /** Called to scan this shard regardless of its owner, which cannot acquire all due tasks. */
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
