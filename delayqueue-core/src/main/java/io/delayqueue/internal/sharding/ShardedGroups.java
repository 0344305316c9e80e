// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.GroupTask;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupPage;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Calls on groups of tasks, made where the group lives, whatever the layout of its queue. While tasks migrate, they are made where
 * those come from before they are made where they go to, so that none slips past. Nothing blocks.
 */
public final class ShardedGroups {

    private final TaskStore store;
    private final QueueLayouts layouts;
    private final LayoutRetries retries;

    /**
     * @param patience how long a call is made again for a task that migrates, or because the layout changes
     * @param threads where that happens after a pause
     */
    public ShardedGroups(TaskStore store, QueueLayouts layouts, Duration patience, CallThreads threads) {
        this.store = store;
        this.layouts = layouts;
        this.retries = new LayoutRetries(layouts, patience, threads);
    }

    /** An id of the group, for what goes by ids. */
    static String anyId(String group) {
        return TaskIds.inGroup(group, "-");
    }

    /** Reads a page of the group: while tasks migrate of all shards that may have some, each task once. */
    public CompletableFuture<ShardGroupPage> page(String queue, GroupPosition position) {
        return retries.again(
                queue,
                layout -> all(
                                queue,
                                layout,
                                position.group(),
                                (shard, version) -> store.groups().page(shard, version, position))
                        .thenApply(ShardedGroups::merged));
    }

    /** Counts what a page would have. */
    public CompletableFuture<ShardGroupPage> count(String queue, GroupPosition position) {
        return retries.again(
                queue,
                layout -> layout.isTransition()
                        ? page(queue, position)
                        : store.groups().count(home(queue, layout, position.group()), layout.version(), position));
    }

    private static Shard home(String queue, QueueLayout layout, String group) {
        return new Shard(queue, layout.homeOf(anyId(group)));
    }

    private static <R> CompletableFuture<List<R>> all(
            String queue, QueueLayout layout, String group, PageCall<R> call) {
        LayoutVersion version = layout.version();
        CompletableFuture<List<R>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (int home : layout.homesOf(anyId(group))) {
            all = all.thenCompose(
                    before -> call.in(new Shard(queue, home), version).thenApply(one -> {
                        before.add(one);
                        return before;
                    }));
        }
        return all;
    }

    /** A place in the order of ids means the same in each shard. */
    private static ShardGroupPage merged(List<ShardGroupPage> pages) {
        if (pages.size() == 1) {
            return pages.get(0);
        }
        String next = pages.stream()
                .map(ShardGroupPage::next)
                .filter(place -> !place.isEmpty())
                .min(String::compareTo)
                .orElse("");
        Map<String, GroupTask> tasks = new TreeMap<>();
        for (ShardGroupPage page : pages) {
            page.tasks().stream()
                    .filter(task -> next.isEmpty() || task.id().compareTo(next) < 0)
                    .forEach(task -> tasks.put(task.id(), task));
        }
        long dead = tasks.values().stream()
                .filter(task -> task.state() == TaskState.DEAD)
                .count();
        return new ShardGroupPage(next, tasks.size() - dead, dead, List.copyOf(tasks.values()));
    }

    /**
     * Begins a change.
     *
     * @param change given the number of the step
     * @param replicas that are to know of each step
     */
    public GroupWalk change(String queue, GroupPosition from, Function<Integer, GroupChange> change, int replicas) {
        return new GroupWalk(store, layouts, retries, queue, from, change, replicas);
    }

    /** Asks one shard. */
    @FunctionalInterface
    private interface PageCall<R> {
        CompletionStage<R> in(Shard shard, LayoutVersion version);
    }
}
