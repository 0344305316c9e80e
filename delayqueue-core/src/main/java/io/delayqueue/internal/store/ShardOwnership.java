// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Shares the shards of a queue among the processes that deliver its tasks. The owner of a shard scans it on the
 * millisecond; the others look at it only at the longest idle interval. Only efficiency rests on it: two owners of a
 * shard compete for its tasks, and each task still goes to one; a shard without an owner is served at the longest idle
 * interval.
 *
 * <p>An election by another system, as by ZooKeeper or Kubernetes leases, can stand behind this: declare a bean of this
 * type.
 */
public interface ShardOwnership {

    /** Every process owns every shard. */
    ShardOwnership EVERYONE = (queue, onChange) -> Membership.OF_ALL;

    /**
     * Joins those who deliver the tasks of a queue. Returns at once.
     *
     * @param onChange run when the process may have come to own other shards; must not block
     */
    Membership join(String queue, Runnable onChange);

    /**
     * Which process owns which shard, as far as this one knows, which need not be among them.
     *
     * @param shards how many there are
     * @return one for each shard, in a second or two; none where that is not known
     */
    default CompletableFuture<List<Owner>> owners(String queue, int shards) {
        return CompletableFuture.completedFuture(List.of());
    }

    /**
     * The process that owns a shard.
     *
     * @param process its name; null for none that is known
     */
    record Owner(int shard, @Nullable String process) {}

    /** A process among those of a queue. Closing it leaves them. */
    interface Membership extends AutoCloseable {

        /** Owns everything. */
        Membership OF_ALL = shard -> true;

        /** Whether this process owns the shard, as far as it knows. Asked often, by any thread; must not block. */
        boolean owns(int shard);

        /** Owns nothing from now on as long as there are others, or takes part again. */
        default void leaveToOthers(boolean leave) {}

        @Override
        default void close() {}
    }
}
