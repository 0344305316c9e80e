// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.delayqueue.queue.DeadSettings;
import io.delayqueue.queue.PrintableText;
import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.store.DeadTrim;
import io.delayqueue.store.Shard;
import io.delayqueue.store.StoreCalls;
import io.delayqueue.store.TaskStore;
import io.delayqueue.store.TrimRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Drops the dead tasks that a queue is not to keep, once a minute for each queue that this process scans. What is dropped is
 * logged as a warning and counted. Several processes may do the same work; each task is dropped by one of them.
 */
public final class DeadTrimmer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DeadTrimmer.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final TaskStore store;
    private final QueueLayouts layouts;
    private final Duration period;
    private final ScheduledExecutorService executor;
    private final Map<String, AtomicLong> dropped = new ConcurrentHashMap<>();

    public DeadTrimmer(TaskStore store, QueueLayouts layouts) {
        this(store, layouts, PERIOD);
    }

    DeadTrimmer(TaskStore store, QueueLayouts layouts, Duration period) {
        this.store = store;
        this.layouts = layouts;
        this.period = period;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("delayqueue-trimmer-");
        threads.setDaemon(true);
        this.executor = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /** Trims a queue until the returned handle is cancelled; null for a queue that keeps all its dead tasks. */
    public @Nullable ScheduledFuture<?> watch(QueueSettings queue) {
        if (queue.dead().keepsAll()) {
            return null;
        }
        return executor.scheduleWithFixedDelay(
                () -> trimOrWarn(queue), period.toMillis(), period.toMillis(), MILLISECONDS);
    }

    /** How many dead tasks of a queue this process has dropped since it started. */
    public long dropped(String queue) {
        AtomicLong count = dropped.get(queue);
        return (count == null) ? 0 : count.get();
    }

    private void trimOrWarn(QueueSettings queue) {
        try {
            trim(queue);
        } catch (RuntimeException ex) {
            log.warn(
                    "Queue '{}': dead tasks were not trimmed; tried again in {}: {}",
                    queue.name(),
                    period,
                    ex.getMessage());
        }
    }

    private void trim(QueueSettings queue) {
        DeadSettings dead = queue.dead();
        Long capOfAShard = dead.cap() == null ? null : capOfAShard(queue, dead.cap());
        long aged = 0;
        long overCap = 0;
        String first = null;
        try {
            int shards = layouts.of(queue.name()).span();
            for (int shard = 0; shard < shards; shard++) {
                TrimRequest request = new TrimRequest(dead.retention(), capOfAShard, TaskStore.MAX_BATCH);
                DeadTrim trim;
                do {
                    trim = StoreCalls.await(store.trimDead(new Shard(queue.name(), shard), request));
                    count(queue.name(), trim.ids().size());
                    aged += trim.aged();
                    overCap += trim.overCap();
                    if (first == null && !trim.ids().isEmpty()) {
                        first = trim.ids().get(0);
                    }
                    if (log.isDebugEnabled()) {
                        log.debug(
                                "Queue '{}', shard {}: dropped the dead tasks {}",
                                queue.name(),
                                shard,
                                PrintableText.of(trim.ids().toString(), 4000));
                    }
                } while (trim.more() && !Thread.currentThread().isInterrupted());
            }
        } finally {
            if (first != null) {
                log.warn(
                        "Queue '{}': dropped {} dead tasks for their age (retention {}) and {} for their number (cap {});"
                                + " the first of them was '{}'",
                        queue.name(),
                        aged,
                        Objects.requireNonNullElse(dead.retention(), "none"),
                        overCap,
                        Objects.requireNonNullElse(dead.cap(), "none"),
                        PrintableText.of(first, 256));
            }
        }
    }

    private void count(String queue, int tasks) {
        if (tasks > 0) {
            dropped.computeIfAbsent(queue, q -> new AtomicLong()).addAndGet(tasks);
        }
    }

    /** The cap is the queue's: a shard may hold more than its share as long as others hold less. Null if nothing is over. */
    private @Nullable Long capOfAShard(QueueSettings queue, long cap) {
        long[] dead = new long[layouts.of(queue.name()).span()];
        for (int shard = 0; shard < dead.length; shard++) {
            dead[shard] = StoreCalls.await(store.stats(new Shard(queue.name(), shard)))
                    .dead();
        }
        return level(dead, cap);
    }

    /** The most that each may keep so that together they keep at most {@code total}; null if they do anyway. */
    static @Nullable Long level(long[] counts, long total) {
        long[] ascending = counts.clone();
        Arrays.sort(ascending);
        long left = total;
        for (int i = 0; i < ascending.length; i++) {
            long share = left / (ascending.length - i);
            if (ascending[i] > share) {
                return share;
            }
            left -= ascending[i];
        }
        return null;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
