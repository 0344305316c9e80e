// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.queue.KnownLayouts;
import io.delayqueue.queue.PrintableText;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueLayout;
import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.store.LayoutRecord;
import io.delayqueue.store.LayoutStore;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The layouts that are recorded in the store. Read when a queue is used for the first time, then once a minute, and every ten
 * seconds while tasks of the queue may be on the move. A record that was lost in a failover is made again.
 */
public final class StoredLayouts implements QueueLayouts, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StoredLayouts.class);
    private static final long TICK_SECONDS = 10;
    private static final long TICKS_AT_REST = 6;

    private final LayoutStore store;
    private final QueueCatalog queues;
    private final KnownLayouts known;
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, CompletableFuture<QueueLayout>> underWay = new ConcurrentHashMap<>();
    private final AtomicLong ticks = new AtomicLong();
    private final ScheduledExecutorService timer;

    public StoredLayouts(LayoutStore store, QueueCatalog queues) {
        this.store = store;
        this.queues = queues;
        this.known =
                new KnownLayouts(queue -> QueueLayout.unknown(queues.get(queue).shards()));
        CustomizableThreadFactory threads = new CustomizableThreadFactory("delayqueue-layouts-");
        threads.setDaemon(true);
        this.timer = Executors.newSingleThreadScheduledExecutor(threads);
        timer.scheduleWithFixedDelay(this::tick, TICK_SECONDS, TICK_SECONDS, SECONDS);
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

    @Override
    public CompletableFuture<QueueLayout> refresh(String queue) {
        queues.get(queue);
        used.add(queue);
        CompletableFuture<QueueLayout> mine = new CompletableFuture<>();
        CompletableFuture<QueueLayout> others = underWay.putIfAbsent(queue, mine);
        if (others != null) {
            return others;
        }
        read(queue).thenCompose(record -> reconcile(queue, record)).whenComplete((layout, error) -> {
            underWay.remove(queue, mine);
            if (error == null) {
                mine.complete(layout);
            } else {
                mine.completeExceptionally(
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
            }
        });
        return mine;
    }

    /** Whatever the store throws must not leave those who wait without an answer. */
    private CompletableFuture<LayoutRecord> read(String queue) {
        try {
            return store.layout(queue);
        } catch (RuntimeException | Error ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** Takes over what is recorded; records what is known where nothing is, or something older, as after a failover. */
    private CompletableFuture<QueueLayout> reconcile(String queue, LayoutRecord record) {
        QueueLayout mine = known.of(queue);
        if (!record.text().isEmpty()) {
            QueueLayout recorded = parse(queue, record.text());
            if (recorded.epoch() >= mine.epoch()) {
                return CompletableFuture.completedFuture(known.adopt(queue, recorded));
            }
            log.warn(
                    "Queue '{}': the recorded layout {} is older than {}, as after a failover; recorded again",
                    queue,
                    recorded,
                    mine);
            return put(queue, recorded.epoch(), mine);
        }
        return put(queue, 0, mine);
    }

    private CompletableFuture<QueueLayout> put(String queue, long recordedEpoch, QueueLayout layout) {
        return store.putLayout(queue, recordedEpoch, layout.epoch(), layout.change())
                .thenApply(answer -> known.adopt(queue, parse(queue, answer.text())));
    }

    /** @throws TaskStoreCorruptException if the text is no layout that this version knows */
    static QueueLayout parse(String queue, String text) {
        try {
            return QueueLayout.parse(text);
        } catch (IllegalArgumentException ex) {
            throw new TaskStoreCorruptException(
                    "Queue '" + queue + "': its layout is recorded as '" + PrintableText.of(text, 60)
                            + "', which this version cannot read; use the version that wrote it",
                    false,
                    ex);
        }
    }

    private void tick() {
        boolean all = ticks.incrementAndGet() % TICKS_AT_REST == 0;
        for (String queue : used) {
            QueueLayout layout = known.of(queue);
            if (all || layout.isTransition() || layout.isUnknown()) {
                refresh(queue).whenComplete((ignored, error) -> {
                    if (error != null) {
                        log.debug("Queue '{}': its layout could not be read: {}", queue, error.toString());
                    }
                });
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
