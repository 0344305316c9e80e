// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.concurrent.CoalescedReads;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.store.LayoutRecord;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.queue.QueueCatalog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The layouts that are recorded in the store. Reads the record of a queue when the queue is first used, when a message
 * or a shard announces another layout, and every 30 seconds in case these were lost. Writes a record again that was
 * lost in a failover.
 */
public final class StoredLayouts extends QueueLayouts implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StoredLayouts.class);
    private static final Duration TICK = Duration.ofSeconds(30);

    private final LayoutStore store;
    private final QueueCatalog queues;
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, CoalescedReads<QueueLayout>> reads = new ConcurrentHashMap<>();
    private final Scheduler.Scheduled ticks;

    public StoredLayouts(LayoutStore store, QueueCatalog queues) {
        this(store, queues, new Scheduler());
    }

    /** @param scheduler has the layouts read again, until this is closed */
    public StoredLayouts(LayoutStore store, QueueCatalog queues, Scheduler scheduler) {
        super(queue -> QueueLayout.unknown(queues.get(queue).shards()));
        this.store = store;
        this.queues = queues;
        this.ticks = scheduler.every(TICK, TICK, this::tick);
    }

    @Override
    public Registration listen(String queue, Runnable onChange) {
        used.add(queue);
        return super.listen(queue, onChange);
    }

    /** Sends a new read even if one is under way, whose answer may be older than this call. */
    @Override
    public CompletableFuture<QueueLayout> refresh(String queue) {
        queues.get(queue);
        used.add(queue);
        return reads.computeIfAbsent(queue, name -> new CoalescedReads<>(() -> readNow(name)))
                .next();
    }

    private CompletableFuture<QueueLayout> readNow(String queue) {
        return Guard.call(() -> store.layout(queue).thenCompose(record -> reconcile(queue, record)));
    }

    /** Adopts the record, or writes the known layout if the record is missing or older, as after a failover. */
    private CompletableFuture<QueueLayout> reconcile(String queue, LayoutRecord record) {
        QueueLayout recorded = record.text().isEmpty() ? null : QueueLayout.parse(queue, record.text());
        QueueLayout mine = of(queue);
        if (recorded != null && recorded.epoch() == mine.epoch() && recorded.shards() != mine.shards()) {
            return unite(queue, recorded, mine);
        }
        if (recorded != null && recorded.epoch() >= mine.epoch()) {
            return CompletableFuture.completedFuture(adopt(queue, recorded));
        }
        // The shards may know a newer layout that no running process knows.
        return newestSeen(queue, mine.span()).thenCompose(ignored -> restore(queue, recorded));
    }

    /** After all data was lost, two processes recorded a first layout each, with different numbers: both hold tasks. */
    private CompletableFuture<QueueLayout> unite(String queue, QueueLayout recorded, QueueLayout mine) {
        log.warn("Queue '{}': two layouts are in use, {} and {}; bringing them together", queue, recorded, mine);
        QueueLayout both = recorded.settled().resizedTo(mine.shards(), mine.configured());
        return store.putLayout(queue, recorded.epoch(), mine.epoch(), both.change())
                .thenApply(answer -> adopt(queue, answer));
    }

    private CompletableFuture<QueueLayout> restore(String queue, @Nullable QueueLayout recorded) {
        QueueLayout mine = of(queue);
        if (mine.epoch() > 0) {
            log.warn(
                    "Queue '{}': the recorded layout is {}, older than {}, as after a failover; recording it again",
                    queue,
                    recorded,
                    mine);
        }
        return store.putLayout(
                        queue,
                        recorded == null ? 0 : recorded.epoch(),
                        Math.max(0, mine.epoch() - 1),
                        mine.change(),
                        true)
                .thenApply(answer -> adopt(queue, answer));
    }

    private QueueLayout adopt(String queue, LayoutRecord record) {
        return record.text().isEmpty() ? of(queue) : adopt(queue, QueueLayout.parse(queue, record.text()));
    }

    @Override
    public CompletableFuture<QueueLayout> newestSeen(String queue, int shards) {
        List<CompletableFuture<String>> seen = IntStream.range(0, shards)
                .mapToObj(shard -> store.layoutSeen(new Shard(queue, shard)))
                .toList();
        return CompletableFuture.allOf(seen.toArray(CompletableFuture[]::new)).thenApply(ignored -> {
            for (CompletableFuture<String> text : seen) {
                if (!text.join().isEmpty()) {
                    adopt(queue, QueueLayout.parse(queue, text.join()));
                }
            }
            return of(queue);
        });
    }

    private void tick() {
        for (String queue : used) {
            Guard.call(() -> refresh(queue)).whenComplete((ignored, error) -> {
                if (error != null) {
                    log.debug("Queue '{}': its layout could not be read: {}", queue, error.toString());
                }
            });
        }
    }

    @Override
    public void close() {
        ticks.cancel();
    }
}
