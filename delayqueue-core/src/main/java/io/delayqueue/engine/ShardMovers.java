// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.delayqueue.queue.QueueLayout;
import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.store.LayoutChangedException;
import io.delayqueue.store.LayoutRecord;
import io.delayqueue.store.LayoutStore;
import io.delayqueue.store.StoreCalls;
import io.delayqueue.store.TaskStore;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Moves the tasks of the queues that this process scans, whenever the layout of one says that tasks may be away from their home,
 * and makes the layout final when none is any more. One process at a time does it for a queue.
 */
public final class ShardMovers implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ShardMovers.class);
    private static final Duration CLAIM = Duration.ofSeconds(10);
    private static final long RENEWAL_NANOS = CLAIM.dividedBy(3).toNanos();
    private static final long PAUSE_MILLIS = 1000;

    private final TaskStore store;
    private final LayoutStore layoutStore;
    private final QueueLayouts layouts;
    private final String owner = UUID.randomUUID().toString();
    private final ScheduledExecutorService executor;

    public ShardMovers(TaskStore store, LayoutStore layoutStore, QueueLayouts layouts) {
        this.store = store;
        this.layoutStore = layoutStore;
        this.layouts = layouts;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("delayqueue-mover-");
        threads.setDaemon(true);
        this.executor = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /** Moves the tasks of a queue, now and whenever its layout changes, until the registration is closed. Does not block. */
    public QueueLayouts.Registration watch(String queue) {
        Watch watch = new Watch(queue);
        QueueLayouts.Registration registration = layouts.listen(queue, watch::soon);
        watch.soon();
        return () -> {
            watch.closed = true;
            registration.close();
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private final class Watch {

        private final String queue;
        private final AtomicBoolean planned = new AtomicBoolean();
        private volatile boolean closed;
        private long claimedAt;

        Watch(String queue) {
            this.queue = queue;
        }

        void soon() {
            plan(0);
        }

        private void plan(long delayMillis) {
            if (!closed && !executor.isShutdown() && planned.compareAndSet(false, true)) {
                executor.schedule(this::run, delayMillis, MILLISECONDS);
            }
        }

        private void run() {
            planned.set(false);
            boolean again = true;
            try {
                again = !closed && work();
            } catch (LayoutChangedException ex) {
                log.debug("Queue '{}': its layout has changed while tasks were moved", queue);
                layouts.refresh(queue);
            } catch (RuntimeException ex) {
                if (!closed) {
                    log.warn(
                            "Queue '{}': tasks could not be moved to their new shards; tried again in {} ms: {}",
                            queue,
                            PAUSE_MILLIS,
                            ex.getMessage());
                }
            }
            if (again) {
                plan(PAUSE_MILLIS);
            }
        }

        /** Returns whether there is more to do. */
        private boolean work() {
            QueueLayout layout = layouts.of(queue);
            if (layout.isUnknown()) {
                layout = StoreCalls.await(layouts.refresh(queue));
            }
            if (!layout.isTransition()) {
                return false;
            }
            if (!claim()) {
                layouts.refresh(queue);
                return true;
            }
            try {
                return moveUnder(layout);
            } finally {
                StoreCalls.await(layoutStore.claimMoves(queue, owner, Duration.ZERO));
            }
        }

        private boolean moveUnder(QueueLayout layout) {
            ShardMover.Pass pass;
            do {
                pass = new ShardMover(store, queue, layout, this::mayGoOn).pass();
                if (pass.moved() > 0) {
                    log.info("Queue '{}': {} tasks moved to their new shards", queue, pass.moved());
                }
            } while (pass.moved() > 0 && mayGoOn());
            if (!pass.isClean()) {
                return true;
            }
            LayoutRecord answer = StoreCalls.await(layoutStore.putLayout(
                    queue, layout.epoch(), layout.epoch(), layout.settled().change()));
            if (answer.text().isEmpty()) {
                layouts.refresh(queue);
                return true;
            }
            layouts.adopt(queue, StoredLayouts.parse(queue, answer.text()));
            if (answer.recorded()) {
                log.info("Queue '{}': every task is in its place; {} shard(s)", queue, layout.shards());
            }
            return layouts.of(queue).isTransition();
        }

        private boolean mayGoOn() {
            return !closed
                    && !Thread.currentThread().isInterrupted()
                    && (System.nanoTime() - claimedAt < RENEWAL_NANOS || claim());
        }

        private boolean claim() {
            long now = System.nanoTime();
            boolean mine = StoreCalls.await(layoutStore.claimMoves(queue, owner, CLAIM));
            claimedAt = now;
            return mine;
        }
    }
}
