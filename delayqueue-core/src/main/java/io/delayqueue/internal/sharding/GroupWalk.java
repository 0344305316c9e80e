// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.TaskStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of a group, made in steps, one at a time. While tasks migrate, processes the source shards and then the
 * target shard, and restarts if the number of shards changes again. A shift instead waits until the reshard has ended,
 * because it would shift a migrated task a second time.
 */
public final class GroupWalk {

    private final TaskStore store;
    private final Shardings shardings;
    private final ShardingRetries retries;
    private final String queue;
    private final Function<Integer, GroupChange> changes;
    private final int replicas;
    private @Nullable Sharding sharding;
    private List<Integer> homes = List.of();
    private int home;
    private GroupPosition position;
    private int step;
    private boolean over;

    GroupWalk(
            TaskStore store,
            Shardings shardings,
            ShardingRetries retries,
            String queue,
            GroupPosition from,
            Function<Integer, GroupChange> changes,
            int replicas) {
        this.store = store;
        this.shardings = shardings;
        this.retries = retries;
        this.queue = queue;
        this.position = from;
        this.changes = changes;
        this.replicas = replicas;
    }

    public CompletableFuture<Replicated<ShardGroupChange>> next() {
        return retries.again(queue, this::under);
    }

    public synchronized boolean isOver() {
        return over;
    }

    /** Returns the position to resume the change from; empty for its beginning. */
    public synchronized String place() {
        return homes.size() > 1 ? "" : position.from();
    }

    public synchronized int steps() {
        return step;
    }

    private synchronized CompletableFuture<@Nullable Replicated<ShardGroupChange>> under(Sharding now) {
        GroupChange change = changes.apply(step);
        boolean isShift = change.verb() == GroupChange.Verb.SHIFT;
        if (isShift && now.isMigrating()) {
            return shardings.refresh(queue).thenApply(read -> null);
        }
        Sharding before = sharding;
        if (!now.equals(before)) {
            homes = now.homesOf(position.prefix());
            home = 0;
            if (before != null && !isShift) {
                position = position.at("");
            }
            sharding = now;
        }
        Shard shard = new Shard(queue, homes.get(home));
        return store.groups()
                .change(shard, now.version(), position, change, replicas)
                .thenApply(this::advance);
    }

    private synchronized Replicated<ShardGroupChange> advance(Replicated<ShardGroupChange> done) {
        String next = done.answer().next();
        position = position.at(next);
        step++;
        if (next.isEmpty()) {
            home++;
            over = home == homes.size();
        }
        return done;
    }
}
