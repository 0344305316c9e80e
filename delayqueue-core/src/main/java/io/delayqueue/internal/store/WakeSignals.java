// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Connects the pollers of a queue in all processes. A poller learns that a shard has work that is due earlier than it
 * knows. If signals are lost, tasks are late by at most the idle interval.
 *
 * <p>The processes also distribute the shards among them. The owner of a shard scans it on time; the others scan it at
 * the longest idle interval. Ownership only affects efficiency. If a shard has two owners, each task still goes to one
 * of them. If a shard has no owner, all processes scan it at the longest idle interval.
 */
public interface WakeSignals {

    /** Sends and receives no signals. Every process owns every shard, and relies on its own schedule. */
    WakeSignals NONE = (queue, listener) -> () -> {};

    /**
     * Joins the processes that deliver the tasks of a queue until the registration is closed. Returns at once; the
     * listener is called on a driver's thread and must not block.
     */
    Registration listen(String queue, Listener listener);

    /** A listening poller. Close it to leave. The methods may be called often and by any thread; they do not block. */
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

        /** Owns no shards from now on while other processes exist, or owns its share again. */
        default void leaveToOthers(boolean leave) {}

        /** Returns whether signals of this queue are known to arrive here now. */
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

        /** Called when a task became the earliest of this shard. */
        void wake(int shard);

        /**
         * Called when signals may have been lost, for example after a reconnect, or when this process may own other
         * shards: scan every shard.
         */
        void wakeAll();

        /** Called when the number of shards has changed, or may have. */
        default void shardingChanged() {}

        /** Called when the owner of this shard cannot take all due tasks: scan it regardless of ownership. */
        default void help(int shard) {
            wake(shard);
        }
    }
}
