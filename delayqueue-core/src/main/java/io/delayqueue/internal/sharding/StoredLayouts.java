// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.concurrent.CoalescedReads;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.LayoutRecord;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.queue.QueueCatalog;
import java.time.Duration;
import java.util.LinkedHashSet;
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
 * The layouts that are recorded in the store. Read when a queue is used for the first time, when a message or a shard
 * tells of another one, by a poller that no message reaches at each idle interval, and every 30 seconds in case all of
 * these were lost. A record that was lost in a failover is made again then.
 */
public final class StoredLayouts implements QueueLayouts, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StoredLayouts.class);
    private static final Duration TICK = Duration.ofSeconds(30);

    private final LayoutStore store;
    private final QueueCatalog queues;
    private final KnownLayouts known;
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, CoalescedReads<QueueLayout>> reads = new ConcurrentHashMap<>();
    private final Scheduler.Scheduled ticks;

    public StoredLayouts(LayoutStore store, QueueCatalog queues) {
        this(store, queues, new Scheduler());
    }

    /** @param scheduler has the layouts read again, until this is closed */
    public StoredLayouts(LayoutStore store, QueueCatalog queues, Scheduler scheduler) {
        this.store = store;
        this.queues = queues;
        this.known =
                new KnownLayouts(queue -> QueueLayout.unknown(queues.get(queue).shards()));
        this.ticks = scheduler.every(TICK, TICK, this::tick);
    }

    @Override
    public QueueLayout of(String queue) {
        return known.of(queue);
    }

    @Override
    public QueueLayout adopt(String queue, QueueLayout layout) {
        return known.adopt(queue, layout);
    }

    @Override
    public Registration listen(String queue, Runnable onChange) {
        used.add(queue);
        return known.listen(queue, onChange);
    }

    /** A read that was under way may have been answered before what the caller wants to see: another one follows it. */
    @Override
    public CompletableFuture<QueueLayout> refresh(String queue) {
        queues.get(queue);
        used.add(queue);
        return reads.computeIfAbsent(queue, name -> new CoalescedReads<>(() -> readNow(name)))
                .next();
    }

    private CompletableFuture<QueueLayout> readNow(String queue) {
        return Seam.call(() -> store.layout(queue).thenCompose(record -> reconcile(queue, record)));
    }

    /** Takes over what is recorded; records what is known where nothing is, or something older, as after a failover. */
    private CompletableFuture<QueueLayout> reconcile(String queue, LayoutRecord record) {
        QueueLayout recorded = record.text().isEmpty() ? null : QueueLayout.parse(queue, record.text());
        QueueLayout mine = known.of(queue);
        if (recorded != null && recorded.epoch() == mine.epoch() && !recorded.equals(mine)) {
            return unite(queue, recorded, mine);
        }
        if (recorded != null && recorded.epoch() >= mine.epoch()) {
            return CompletableFuture.completedFuture(known.adopt(queue, recorded));
        }
        // The shards may know of a newer one, which no process that still runs has heard of.
        return newestSeen(queue, known.of(queue).span()).thenCompose(ignored -> restore(queue, recorded));
    }

    /** Somebody recorded a first layout after all was lost, who was configured with another number: both hold tasks. */
    private CompletableFuture<QueueLayout> unite(String queue, QueueLayout recorded, QueueLayout mine) {
        Set<Integer> older = new LinkedHashSet<>(recorded.older());
        older.addAll(mine.older());
        older.add(recorded.shards());
        older.remove(mine.shards());
        QueueLayout both = new QueueLayout(
                mine.epoch(),
                mine.shards(),
                mine.configured(),
                older.stream().limit(QueueLayout.MOST_OLDER).toList());
        log.warn("Queue '{}': two layouts are in use, {} and {}; brought together", queue, recorded, mine);
        return store.putLayout(queue, recorded.epoch(), mine.epoch(), both.change())
                .thenApply(answer -> known.adopt(queue, QueueLayout.parse(queue, answer.text())));
    }

    private CompletableFuture<QueueLayout> restore(String queue, @Nullable QueueLayout recorded) {
        QueueLayout mine = known.of(queue);
        if (mine.epoch() > 0) {
            log.warn(
                    "Queue '{}': the recorded layout is {}, older than {}, as after a failover; recorded again",
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
                .thenApply(answer -> known.adopt(queue, QueueLayout.parse(queue, answer.text())));
    }

    @Override
    public CompletableFuture<QueueLayout> newestSeen(String queue, int shards) {
        List<CompletableFuture<String>> seen = IntStream.range(0, shards)
                .mapToObj(shard -> store.layoutSeen(new Shard(queue, shard)))
                .toList();
        return CompletableFuture.allOf(seen.toArray(CompletableFuture[]::new)).thenApply(ignored -> {
            for (CompletableFuture<String> text : seen) {
                if (!text.join().isEmpty()) {
                    known.adopt(queue, QueueLayout.parse(queue, text.join()));
                }
            }
            return known.of(queue);
        });
    }

    private void tick() {
        for (String queue : used) {
            Seam.call(() -> refresh(queue)).whenComplete((ignored, error) -> {
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
