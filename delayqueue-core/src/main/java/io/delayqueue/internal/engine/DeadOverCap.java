// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Deletes the oldest dead tasks of a queue, over all its shards, while it has more than its cap. Compares ages by the
 * clocks of the servers.
 *
 * <p>Concurrent processes never delete below the cap. A process reads the ids of the oldest tasks <em>before</em> it
 * counts, and deletes only tasks with these ids. A task that another process deletes before the count reduces the
 * count. A task that another process deletes after the count is either among these ids or died later; in the latter
 * case the other process has read enough older tasks. If two processes delete the same id, the second deletion has no
 * effect. Nothing is deleted during a migration, because a task may then be in two shards.
 */
record DeadOverCap(TaskStore store, Shardings shardings, String queue, long cap) {

    private static final Comparator<Dead> LONGEST_DEAD_FIRST =
            Comparator.comparing(Dead::diedAt).thenComparing(Dead::shard).thenComparing(Dead::rank);
    /** Maximum number of tasks read at a time over all shards. */
    private static final int MOST_READ = 20_000;

    private static final int LEAST_OF_A_SHARD = 10;

    /**
     * Deletes up to a few thousand tasks, on the calling thread.
     *
     * @param deleted receives the id of each deleted task
     * @return whether there may be more to delete
     * @throws io.delayqueue.internal.calls.ShardingChangedException if the number of shards has changed in the meantime
     * @throws io.delayqueue.TaskStoreException if Redis did not answer
     */
    boolean deleteSome(Consumer<String> deleted) {
        Sharding sharding = StoreAnswers.await(shardings.refresh(queue));
        if (sharding.isMigrating()) {
            return false;
        }
        long over = count(sharding) - cap;
        if (over <= 0) {
            return false;
        }
        List<Dead> longest = longestDead(sharding, over);
        long stillOver = count(sharding) - cap;
        boolean resharded = !StoreAnswers.await(shardings.refresh(queue)).equals(sharding);
        if (resharded || stillOver <= 0) {
            return false;
        }
        return delete(longest.subList(0, (int) Math.min(stillOver, longest.size())), sharding, deleted);
    }

    private long count(Sharding sharding) {
        long dead = 0;
        for (int shard = 0; shard < sharding.span(); shard++) {
            dead += StoreAnswers.await(store.shards().stats(new Shard(queue, shard)))
                    .droppable();
        }
        return dead;
    }

    /**
     * Returns the oldest tasks over all shards, in order. Stops at the time up to which every shard has been read,
     * because the order after it is unknown.
     */
    private List<Dead> longestDead(Sharding sharding, long over) {
        int limit = Math.max(LEAST_OF_A_SHARD, Math.min(TaskStore.MAX_BATCH, MOST_READ / sharding.span()));
        PageRequest request = PageRequest.droppable((int) Math.min(over, limit));
        List<Dead> read = new ArrayList<>();
        List<Dead> ends = new ArrayList<>();
        for (int shard = 0; shard < sharding.span(); shard++) {
            Page page = StoreAnswers.await(store.shards().page(new Shard(queue, shard), request));
            int rank = 0;
            for (StoredTask task : page.tasks()) {
                read.add(new Dead(task.nextAttentionAt(), shard, rank++, task.id()));
            }
            if (page.next() != null && rank > 0) {
                ends.add(read.get(read.size() - 1));
            }
        }
        read.sort(LONGEST_DEAD_FIRST);
        return ends.stream()
                .min(LONGEST_DEAD_FIRST)
                .map(end -> read.subList(0, read.indexOf(end) + 1))
                .orElse(read);
    }

    private boolean delete(List<Dead> dead, Sharding sharding, Consumer<String> deleted) {
        ShardingVersion version = new ShardingVersion(sharding.format());
        Map<Integer, List<Position>> byShard = new TreeMap<>();
        dead.forEach(task -> byShard.computeIfAbsent(task.shard(), s -> new ArrayList<>())
                .add(new Position(task.diedAt(), task.id())));
        boolean any = false;
        for (Map.Entry<Integer, List<Position>> entry : byShard.entrySet()) {
            List<Position> deaths = entry.getValue();
            List<Boolean> verdicts =
                    StoreAnswers.await(store.dead().discardDeaths(new Shard(queue, entry.getKey()), version, deaths));
            for (int i = 0; i < deaths.size(); i++) {
                if (verdicts.get(i)) {
                    deleted.accept(deaths.get(i).id());
                    any = true;
                }
            }
        }
        return any;
    }

    /** @param rank its position among the dead tasks of its shard */
    private record Dead(Instant diedAt, int shard, int rank, String id) {}
}
