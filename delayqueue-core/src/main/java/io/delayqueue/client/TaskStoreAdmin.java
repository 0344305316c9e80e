// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DeadTaskPage;
import io.delayqueue.DeadTaskPageRequest;
import io.delayqueue.DelayQueueAdmin;
import io.delayqueue.PurgeNotConfirmedException;
import io.delayqueue.PurgeResult;
import io.delayqueue.QueueStats;
import io.delayqueue.RedriveResult;
import io.delayqueue.queue.PrintableText;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.store.Purged;
import io.delayqueue.store.Shard;
import io.delayqueue.store.ShardStats;
import io.delayqueue.store.StoreCalls;
import io.delayqueue.store.TaskStore;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Looks after queues through the task store. */
public final class TaskStoreAdmin implements DelayQueueAdmin {

    private final TaskStore store;
    private final QueueCatalog queues;
    private final DeadTaskPages deadPages;
    private final DeadTaskMoves deadMoves;
    private final PacedRedrive pacedRedrive;

    public TaskStoreAdmin(TaskStore store, QueueCatalog queues) {
        this.store = store;
        this.queues = queues;
        this.deadPages = new DeadTaskPages(store);
        this.deadMoves = new DeadTaskMoves(store);
        this.pacedRedrive = new PacedRedrive(store);
    }

    @Override
    public Set<String> queues() {
        return queues.names();
    }

    @Override
    public Map<String, QueueStats> list() {
        Map<String, QueueStats> stats = new LinkedHashMap<>();
        queues.names().forEach(queue -> stats.put(queue, stats(queue)));
        return stats;
    }

    @Override
    public QueueStats stats(String queue) {
        long live = 0;
        long due = 0;
        long leased = 0;
        long dead = 0;
        Instant next = null;
        boolean paused = false;
        for (Shard shard : shards(queue)) {
            ShardStats stats = StoreCalls.await(store.stats(shard));
            live += stats.live();
            due += stats.due();
            leased += stats.leased();
            dead += stats.dead();
            paused |= stats.paused();
            Instant at = stats.nextAttention();
            if (at != null && (next == null || at.isBefore(next))) {
                next = at;
            }
        }
        return new QueueStats(Math.max(0, live - due - leased), due, leased, dead, Optional.ofNullable(next), paused);
    }

    @Override
    public DeadTaskPage deadTasks(String queue, DeadTaskPageRequest request) {
        return deadPages.read(shards(queue), request);
    }

    @Override
    public boolean redrive(String queue, String id) {
        return redrive(queue, List.of(id)).redriven() == 1;
    }

    @Override
    public RedriveResult redrive(String queue, Collection<String> ids) {
        return deadMoves.redrive(queues.get(queue), ids);
    }

    @Override
    public RedriveResult redriveAll(String queue, int perSecond) {
        return pacedRedrive.run(shards(queue), perSecond);
    }

    @Override
    public boolean discard(String queue, String id) {
        return discard(queue, List.of(id)) == 1;
    }

    @Override
    public long discard(String queue, Collection<String> ids) {
        return deadMoves.discard(queues.get(queue), ids);
    }

    @Override
    public void pause(String queue) {
        shards(queue).forEach(shard -> StoreCalls.await(store.pause(shard)));
    }

    @Override
    public void resume(String queue) {
        shards(queue).forEach(shard -> StoreCalls.await(store.resume(shard)));
    }

    @Override
    public boolean isPaused(String queue) {
        return stats(queue).paused();
    }

    @Override
    public PurgeResult purge(String queue, String confirmQueueName) {
        List<Shard> shards = shards(queue);
        if (!queue.equals(confirmQueueName)) {
            throw new PurgeNotConfirmedException(
                    "Queue '" + queue + "' was not purged: the name given to confirm it is '"
                            + PrintableText.of(confirmQueueName, 80) + "'. Give the queue's name twice");
        }
        PurgeResult result = new PurgeResult(0, 0, 0, 0);
        for (Shard shard : shards) {
            ShardStats before = StoreCalls.await(store.stats(shard));
            // Twice what is there: producers that go on scheduling must not keep this from ending.
            long calls = 1 + 2 * (before.live() + before.dead()) / TaskStore.MAX_BATCH;
            Purged purged;
            do {
                purged = StoreCalls.await(store.purge(shard, TaskStore.MAX_BATCH));
                result = new PurgeResult(
                        result.live() + purged.live(),
                        result.leased() + purged.leased(),
                        result.dead() + purged.dead(),
                        result.left());
            } while (purged.left() > 0 && --calls > 0);
            result = new PurgeResult(result.live(), result.leased(), result.dead(), result.left() + purged.left());
        }
        return result;
    }

    private List<Shard> shards(String queue) {
        return IntStream.range(0, queues.get(queue).shards())
                .mapToObj(shard -> new Shard(queue, shard))
                .toList();
    }
}
