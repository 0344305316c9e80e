// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskPage;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls on groups of tasks in the right shards, for any sharding of the queue. While tasks migrate, calls the
 * source shards before the target shard, so that no task is missed. Non-blocking.
 */
public record ShardedGroups(TaskStore store, Shardings shardings, ShardingRetries retries) {

    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(id -> id.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /**
     * @param patience how long to repeat a call while a task migrates or the sharding changes
     * @param threads threads that repeat calls after a pause
     */
    public ShardedGroups(TaskStore store, Shardings shardings, Duration patience, Scheduler threads) {
        this(store, shardings, new ShardingRetries(shardings, patience, threads));
    }

    /** Reads a page of the group, ordered by the bytes of the ids. */
    public CompletableFuture<TaskPage<StoredTask>> page(String queue, GroupPosition position) {
        return retries.again(queue, sharding -> {
            CompletableFuture<Map<String, StoredTask>> found =
                    CompletableFuture.completedFuture(new TreeMap<>(BY_BYTES));
            for (int home : sharding.homesOf(position.prefix())) {
                found = found.thenCompose(byId -> store.groups()
                        .page(new Shard(queue, home), sharding.version(), position)
                        .thenApply(tasks -> {
                            tasks.forEach(task -> byId.put(task.id(), task));
                            return byId;
                        }));
            }
            return found.thenApply(byId -> window(List.copyOf(byId.values()), position.limit()));
        });
    }

    /**
     * Combines the tasks of all shards into a page. Each shard returns one more live and one more dead task than a page
     * holds.
     */
    private static TaskPage<StoredTask> window(List<StoredTask> tasks, int limit) {
        return tasks.size() <= limit
                ? new TaskPage<>(tasks, null)
                : new TaskPage<>(tasks.subList(0, limit), tasks.get(limit).id());
    }

    /**
     * Counts the live tasks of the group whose ids start with this prefix. Returns empty while tasks migrate, because
     * some tasks may be in two shards.
     */
    public CompletableFuture<OptionalLong> count(String queue, String prefix) {
        return retries.again(
                queue,
                sharding -> sharding.isMigrating()
                        ? CompletableFuture.completedFuture(OptionalLong.empty())
                        : store.groups()
                                .count(new Shard(queue, sharding.homeOf(prefix)), sharding.version(), prefix)
                                .thenApply(OptionalLong::of));
    }

    /**
     * Starts a change.
     *
     * @param change returns the change for the step with the given number
     * @param replicas number of replicas that must confirm each step
     */
    public GroupWalk change(String queue, GroupPosition from, Function<Integer, GroupChange> change, int replicas) {
        return new GroupWalk(queue, from, change, replicas);
    }

    /**
     * A change of a group, made in steps, one at a time. While tasks migrate, processes the source shards and then the
     * target shard, and restarts if the number of shards changes again. A shift instead waits until the reshard has ended,
     * because it would shift a migrated task a second time.
     */
    public final class GroupWalk {

        private final String queue;
        private final Function<Integer, GroupChange> changes;
        private final int replicas;
        private @Nullable Sharding sharding;
        private List<Integer> homes = List.of();
        private int home;
        private GroupPosition position;
        private int step;
        private boolean over;

        private GroupWalk(String queue, GroupPosition from, Function<Integer, GroupChange> changes, int replicas) {
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
}
