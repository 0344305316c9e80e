// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.concurrent.CoalescedReads;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingRecord;
import io.delayqueue.internal.store.ShardingStore;
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
 * The newest sharding of each queue that this process knows. Reads the recorded sharding of a queue when the queue is
 * first used, when a message or a shard reports another sharding, and every 30 seconds in case such a message was lost.
 * Restores a record that a failover has lost. Non-blocking and thread-safe.
 */
public final class Shardings implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Shardings.class);
    private static final Duration TICK = Duration.ofSeconds(30);

    private final Function<String, Sharding> first;
    private final @Nullable ShardingStore store;
    private final Scheduler.Scheduled ticks;
    private final Map<String, Sharding> shardings = new ConcurrentHashMap<>();
    private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final Map<String, CoalescedReads<Sharding>> reads = new ConcurrentHashMap<>();

    /** @param scheduler scheduler that reads the shardings periodically until this object is closed */
    public Shardings(ShardingStore store, QueueCatalog queues, Scheduler scheduler) {
        this.first = queue -> Sharding.unknown(queues.get(queue).shards());
        this.store = store;
        this.ticks = scheduler.every(TICK, TICK, this::tick);
    }

    private Shardings(Function<String, Sharding> first) {
        this.first = first;
        this.store = null;
        this.ticks = () -> {};
    }

    /** Returns shardings that start as configured and change only by {@link #adopt}. */
    public static Shardings fixed(QueueCatalog queues) {
        return fixed(queue -> Sharding.initial(queues.get(queue).shards()));
    }

    /**
     * Returns shardings that start with the function's results and change only by {@link #adopt}. The function must not
     * call this object.
     */
    public static Shardings fixed(Function<String, Sharding> first) {
        return new Shardings(first);
    }

    /**
     * Returns the current sharding, as far as this process knows. Until the recorded sharding has been read, returns
     * the configured number of shards as an {@linkplain Sharding#isUnknown() unknown} sharding.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public Sharding of(String queue) {
        Sharding known = shardings.get(queue);
        return (known != null) ? known : adopt(queue, first.apply(queue));
    }

    /**
     * Reads and adopts the recorded sharding. Sends a new read even if another is in progress, which may have been sent
     * before a change that the caller has seen. Completes on a thread of the driver.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public CompletableFuture<Sharding> refresh(String queue) {
        Sharding known = of(queue);
        ShardingStore records = store;
        if (records == null) {
            return CompletableFuture.completedFuture(known);
        }
        used.add(queue);
        return reads.computeIfAbsent(queue, name -> new CoalescedReads<>(() -> readNow(records, name)))
                .next();
    }

    private CompletableFuture<Sharding> readNow(ShardingStore records, String queue) {
        return Guard.call(() -> records.sharding(queue).thenCompose(record -> reconcile(records, queue, record)));
    }

    /**
     * Adopts the record. If it is missing or older, for example after a failover, or if another process recorded a
     * second first sharding after a loss of all data, records a sharding that covers it and the known one.
     */
    private CompletableFuture<Sharding> reconcile(ShardingStore records, String queue, ShardingRecord record) {
        Sharding recorded = record.text().isEmpty() ? null : Sharding.parse(queue, record.text());
        Sharding mine = of(queue);
        if (recorded != null
                && (recorded.epoch() > mine.epoch()
                        || recorded.epoch() == mine.epoch() && recorded.shards() == mine.shards())) {
            return CompletableFuture.completedFuture(adopt(queue, recorded));
        }
        // The shards may know a newer sharding that no running process knows.
        int span = Math.max(mine.span(), recorded == null ? 0 : recorded.span());
        return newestSeen(queue, span).thenCompose(ignored -> restore(records, queue, recorded));
    }

    private CompletableFuture<Sharding> restore(ShardingStore records, String queue, @Nullable Sharding recorded) {
        Sharding mine = of(queue);
        Sharding restored = recorded == null ? mine : mine.covering(recorded);
        if (mine.epoch() > 0) {
            log.warn(
                    "Queue '{}': Redis has the sharding {} instead of {}, for example after a failover or from a "
                            + "backup; recording {}",
                    queue,
                    recorded,
                    mine,
                    restored);
        }
        return records.putSharding(
                        queue,
                        recorded == null ? 0 : recorded.epoch(),
                        restored.equals(mine) ? Math.max(0, mine.epoch() - 1) : mine.epoch(),
                        restored.change(),
                        true)
                .thenApply(answer -> adopt(queue, answer));
    }

    /**
     * Asks shards for the newest sharding that a caller has passed to them, and adopts it. After a failover, this
     * sharding may not be recorded anywhere else.
     *
     * @param shards number of shards to ask, starting at 0
     * @return the current sharding
     */
    public CompletableFuture<Sharding> newestSeen(String queue, int shards) {
        ShardingStore records = store;
        if (records == null) {
            return CompletableFuture.completedFuture(of(queue));
        }
        List<CompletableFuture<String>> seen = IntStream.range(0, shards)
                .mapToObj(shard -> records.shardingSeen(new Shard(queue, shard)))
                .toList();
        return CompletableFuture.allOf(seen.toArray(CompletableFuture[]::new)).thenApply(ignored -> {
            for (CompletableFuture<String> text : seen) {
                if (!text.join().isEmpty()) {
                    adopt(queue, Sharding.parse(queue, text.join()));
                }
            }
            return of(queue);
        });
    }

    private Sharding adopt(String queue, ShardingRecord record) {
        return record.text().isEmpty() ? of(queue) : adopt(queue, Sharding.parse(queue, record.text()));
    }

    /**
     * Adopts a sharding found in the store if it is newer than the known one. Calls the listeners before it returns.
     *
     * @return the current sharding
     */
    public Sharding adopt(String queue, Sharding sharding) {
        boolean[] changed = new boolean[1];
        Sharding inForce = shardings.merge(queue, sharding, (known, met) -> {
            changed[0] = met.epoch() > known.epoch();
            return changed[0] ? met : known;
        });
        if (changed[0]) {
            for (Runnable listener : listeners.getOrDefault(queue, List.of())) {
                Guard.run(log, "A listener for sharding changes failed", listener);
            }
        }
        return inForce;
    }

    /** Registers a listener for changes until it is cancelled. It is called on any thread, so it must not block. */
    public Scheduler.Scheduled listen(String queue, Runnable onChange) {
        used.add(queue);
        List<Runnable> all = listeners.computeIfAbsent(queue, q -> new CopyOnWriteArrayList<>());
        all.add(onChange);
        return () -> all.remove(onChange);
    }

    private void tick() {
        for (String queue : used) {
            Guard.call(() -> refresh(queue)).whenComplete((ignored, error) -> {
                if (error != null) {
                    log.debug("Queue '{}': could not read its sharding: {}", queue, error.toString());
                }
            });
        }
    }

    @Override
    public void close() {
        ticks.cancel();
    }
}
