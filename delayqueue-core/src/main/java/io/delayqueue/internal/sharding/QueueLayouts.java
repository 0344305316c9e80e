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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest layout of each queue that this process knows. Reads the record of a queue when the queue is first used, when a
 * message or a shard announces another layout, and every 30 seconds in case these were lost. Writes a record again that was
 * lost in a failover. Never blocks. Safe for use by many threads.
 */
public final class QueueLayouts implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(QueueLayouts.class);
    private static final Duration TICK = Duration.ofSeconds(30);

    private final Function<String, QueueLayout> first;
    private final @Nullable LayoutStore store;
    private final Scheduler.Scheduled ticks;
    private final Map<String, QueueLayout> layouts = new ConcurrentHashMap<>();
    private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final Map<String, CoalescedReads<QueueLayout>> reads = new ConcurrentHashMap<>();

    /** @param scheduler reads the layouts again, until this is closed */
    public QueueLayouts(LayoutStore store, QueueCatalog queues, Scheduler scheduler) {
        this.first = queue -> QueueLayout.unknown(queues.get(queue).shards());
        this.store = store;
        this.ticks = scheduler.every(TICK, TICK, this::tick);
    }

    private QueueLayouts(Function<String, QueueLayout> first) {
        this.first = first;
        this.store = null;
        this.ticks = () -> {};
    }

    /** Returns layouts that begin as the queues are configured and change by {@link #adopt} only. */
    public static QueueLayouts fixed(QueueCatalog queues) {
        return fixed(queue -> QueueLayout.initial(queues.get(queue).shards()));
    }

    /** Returns layouts that begin as the function says, which must not call back, and change by {@link #adopt} only. */
    public static QueueLayouts fixed(Function<String, QueueLayout> first) {
        return new QueueLayouts(first);
    }

    /**
     * Returns the layout in force, as far as this process knows. Until the recorded one has been read, this is the
     * configured number of shards as an {@linkplain QueueLayout#isUnknown() unknown} layout.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public QueueLayout of(String queue) {
        QueueLayout known = layouts.get(queue);
        return (known != null) ? known : adopt(queue, first.apply(queue));
    }

    /**
     * Reads the recorded layout and adopts it. Sends a new read even if one is in progress, whose answer may be older than
     * this call. Completes on a thread of the driver.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public CompletableFuture<QueueLayout> refresh(String queue) {
        QueueLayout known = of(queue);
        LayoutStore records = store;
        if (records == null) {
            return CompletableFuture.completedFuture(known);
        }
        used.add(queue);
        return reads.computeIfAbsent(queue, name -> new CoalescedReads<>(() -> readNow(records, name)))
                .next();
    }

    private CompletableFuture<QueueLayout> readNow(LayoutStore records, String queue) {
        return Guard.call(() -> records.layout(queue).thenCompose(record -> reconcile(records, queue, record)));
    }

    /** Adopts the record, or writes the known layout if the record is missing or older, as after a failover. */
    private CompletableFuture<QueueLayout> reconcile(LayoutStore records, String queue, LayoutRecord record) {
        QueueLayout recorded = record.text().isEmpty() ? null : QueueLayout.parse(queue, record.text());
        QueueLayout mine = of(queue);
        if (recorded != null && recorded.epoch() == mine.epoch() && recorded.shards() != mine.shards()) {
            return unite(records, queue, recorded, mine);
        }
        if (recorded != null && recorded.epoch() >= mine.epoch()) {
            return CompletableFuture.completedFuture(adopt(queue, recorded));
        }
        // The shards may know a newer layout that no running process knows.
        return newestSeen(queue, mine.span()).thenCompose(ignored -> restore(records, queue, recorded));
    }

    /** After all data was lost, two processes recorded a first layout each, with different numbers: both hold tasks. */
    private CompletableFuture<QueueLayout> unite(
            LayoutStore records, String queue, QueueLayout recorded, QueueLayout mine) {
        log.warn("Queue '{}': two layouts are in use, {} and {}; bringing them together", queue, recorded, mine);
        QueueLayout both = recorded.settled().resizedTo(mine.shards(), mine.configured());
        return records.putLayout(queue, recorded.epoch(), mine.epoch(), both.change())
                .thenApply(answer -> adopt(queue, answer));
    }

    private CompletableFuture<QueueLayout> restore(LayoutStore records, String queue, @Nullable QueueLayout recorded) {
        QueueLayout mine = of(queue);
        if (mine.epoch() > 0) {
            log.warn(
                    "Queue '{}': the recorded layout is {}, older than {}, as after a failover; recording it again",
                    queue,
                    recorded,
                    mine);
        }
        return records.putLayout(
                        queue,
                        recorded == null ? 0 : recorded.epoch(),
                        Math.max(0, mine.epoch() - 1),
                        mine.change(),
                        true)
                .thenApply(answer -> adopt(queue, answer));
    }

    /**
     * Asks shards for the newest layout that a caller passed to them and adopts it. After a failover they may know one
     * that is recorded nowhere else.
     *
     * @param shards 0 to this less 1 are asked
     * @return the layout now in force
     */
    public CompletableFuture<QueueLayout> newestSeen(String queue, int shards) {
        LayoutStore records = store;
        if (records == null) {
            return CompletableFuture.completedFuture(of(queue));
        }
        List<CompletableFuture<String>> seen = IntStream.range(0, shards)
                .mapToObj(shard -> records.layoutSeen(new Shard(queue, shard)))
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

    private QueueLayout adopt(String queue, LayoutRecord record) {
        return record.text().isEmpty() ? of(queue) : adopt(queue, QueueLayout.parse(queue, record.text()));
    }

    /**
     * Adopts a layout that was found in the store, if it is newer than the known one. Calls the listeners before it
     * returns.
     *
     * @return the layout now in force
     */
    public QueueLayout adopt(String queue, QueueLayout layout) {
        boolean[] changed = new boolean[1];
        QueueLayout inForce = layouts.merge(queue, layout, (known, met) -> {
            changed[0] = met.epoch() > known.epoch();
            return changed[0] ? met : known;
        });
        if (changed[0]) {
            for (Runnable listener : listeners.getOrDefault(queue, List.of())) {
                Guard.run(log, "What follows a change of layout failed", listener);
            }
        }
        return inForce;
    }

    /** Calls the listener after each change, on any thread, so it must not block. */
    public Registration listen(String queue, Runnable onChange) {
        used.add(queue);
        List<Runnable> all = listeners.computeIfAbsent(queue, q -> new CopyOnWriteArrayList<>());
        all.add(onChange);
        return () -> all.remove(onChange);
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

    /** Ends listening. */
    public interface Registration extends AutoCloseable {

        @Override
        void close();
    }
}
