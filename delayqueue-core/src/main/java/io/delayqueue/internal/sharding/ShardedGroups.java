// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskPage;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.Shard;
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

/**
 * Makes calls on groups of tasks in the right shards, for any sharding of the queue. While tasks migrate, calls the
 * source shards before the target shard, so that no task is missed. Non-blocking.
 */
public final class ShardedGroups {

    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(id -> id.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final TaskStore store;
    private final Shardings shardings;
    private final ShardingRetries retries;

    /**
     * @param patience how long to repeat a call while a task migrates or the sharding changes
     * @param threads threads that repeat calls after a pause
     */
    public ShardedGroups(TaskStore store, Shardings shardings, Duration patience, Scheduler threads) {
        this.store = store;
        this.shardings = shardings;
        this.retries = new ShardingRetries(shardings, patience, threads);
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
        return new GroupWalk(store, shardings, retries, queue, from, change, replicas);
    }
}
