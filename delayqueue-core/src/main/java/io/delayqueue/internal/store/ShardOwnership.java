// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Distributes the shards of a queue among the processes that deliver its tasks. The owner of a shard scans it on time;
 * the others scan it at the longest idle interval. Ownership only affects efficiency. If a shard has two owners, each
 * task still goes to one of them. If a shard has no owner, all processes scan it at the longest idle interval.
 *
 * <p>To use an election by another system, such as ZooKeeper or Kubernetes leases, declare a bean of this type.
 */
public interface ShardOwnership {

    /** Every process owns every shard. */
    ShardOwnership EVERYONE = (queue, onChange) -> Membership.OF_ALL;

    /**
     * Joins the processes that deliver the tasks of a queue. Returns at once.
     *
     * @param onChange run when the process may own other shards; must not block
     */
    Membership join(String queue, Runnable onChange);

    /**
     * Returns which process owns which shard, as far as this process knows. This process need not deliver the queue.
     *
     * @return one entry per shard, within a second or two; empty if unknown
     */
    default CompletableFuture<List<Owner>> owners(String queue, int shards) {
        return CompletableFuture.completedFuture(List.of());
    }

    /**
     * The process that owns a shard.
     *
     * @param process name of the process; null if unknown
     */
    record Owner(int shard, @Nullable String process) {}

    /** Membership of a process in a queue. Close it to leave. */
    interface Membership extends AutoCloseable {

        /** The {@linkplain #place place} of a process that never scans a shard in place of its owner. */
        int NEVER = Integer.MAX_VALUE;

        Membership OF_ALL = shard -> true;

        /**
         * Returns whether this process owns the shard, as far as it knows. Called often and by any thread; must not
         * block.
         */
        boolean owns(int shard);

        /**
         * Returns how many processes precede this one as owner of the shard: 0 for the owner, and {@link #NEVER} if
         * this process must not scan the shard in place of its owner. Any thread; must not block.
         */
        default int place(int shard) {
            return owns(shard) ? 0 : NEVER;
        }

        /** Leaves all shards to the other processes while there are any, or takes this process's share again. */
        default void leaveToOthers(boolean leave) {}

        @Override
        default void close() {}
    }
}
