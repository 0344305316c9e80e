// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.concurrent.SerialWorker;
import io.delayqueue.internal.store.LayoutChangedException;
import io.delayqueue.internal.store.LayoutRecord;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Migrates the tasks of the queues that this process scans to their present shards, whenever the layout of a queue says
 * that tasks may be away from their home, and makes the layout final when none is any more. One process at a time does
 * it for a queue.
 */
public final class ShardMigrations implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ShardMigrations.class);
    private static final Duration CLAIM = Duration.ofSeconds(10);
    private static final long RENEWAL_NANOS = CLAIM.dividedBy(3).toNanos();
    private static final long DONE = -1;
    private static final long FIRST_PAUSE_MILLIS = 1000;
    private static final BackOff BACK_OFF =
            DoublingBackOff.between(Duration.ofMillis(FIRST_PAUSE_MILLIS), Duration.ofSeconds(30));
    private static final Duration BETWEEN_CLEAN_PASSES = Duration.ofSeconds(3);

    private final TaskStore store;
    private final QueueLayouts layouts;
    private final String owner = UUID.randomUUID().toString();
    private final SerialWorker worker;
    private final Duration betweenCleanPasses;

    public ShardMigrations(TaskStore store, QueueLayouts layouts, Scheduler scheduler) {
        this(store, layouts, scheduler, BETWEEN_CLEAN_PASSES);
    }

    /**
     * @param betweenCleanPasses how long after a pass that found no task away from its home the next one begins, which
     *     has to find none either: longer than a server takes to write its deletions to its disk or its replicas, and
     *     less than 10 s
     */
    public ShardMigrations(TaskStore store, QueueLayouts layouts, Scheduler scheduler, Duration betweenCleanPasses) {
        this.worker = scheduler.worker();
        this.betweenCleanPasses = betweenCleanPasses;
        this.store = store;
        this.layouts = layouts;
    }

    /**
     * Migrates the tasks of a queue, now and whenever its layout changes, until the registration is closed. Does not
     * block.
     */
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
        worker.close();
    }

    private final class Watch {

        private final String queue;
        private final AtomicBoolean planned = new AtomicBoolean();
        private volatile boolean closed;
        private final Set<String> reported = new HashSet<>();
        private Set<Integer> left = Set.of();
        private @Nullable QueueLayout leftUnder;
        private BackOffExecution backOff = BACK_OFF.start();
        private long claimedAt;
        private @Nullable QueueLayout clean;
        private long cleanAt;

        Watch(String queue) {
            this.queue = queue;
        }

        void soon() {
            plan(0);
        }

        private void plan(long delayMillis) {
            if (!closed && !worker.isClosed() && planned.compareAndSet(false, true)) {
                try {
                    worker.after(Duration.ofMillis(delayMillis), this::run);
                } catch (Throwable ex) {
                    planned.set(false);
                    Seam.tell(() -> log.warn(
                            "Queue '{}': the migration of tasks waits for the next sign of a change", queue, ex));
                }
            }
        }

        private void run() {
            planned.set(false);
            long again = FIRST_PAUSE_MILLIS;
            try {
                again = closed ? DONE : work();
            } catch (LayoutChangedException ex) {
                clean = null;
                log.debug("Queue '{}': its layout has changed while tasks migrated", queue);
                Seam.call(() -> layouts.refresh(queue));
            } catch (Throwable ex) {
                clean = null;
                again = backOff.nextBackOff();
                reportUnlessClosed(again, ex);
            }
            if (again != DONE) {
                plan(again);
            }
        }

        private void reportUnlessClosed(long again, Throwable error) {
            if (!closed) {
                Seam.tell(() -> log.warn(
                        "Queue '{}': tasks could not be migrated to their new shards; tried again in {} ms: {}",
                        queue,
                        again,
                        error.toString()));
            }
        }

        /** Returns in how many milliseconds there is more to do. */
        private long work() {
            QueueLayout layout = layouts.of(queue);
            if (layout.isUnknown()) {
                layout = StoreAnswers.await(layouts.refresh(queue));
            }
            if (!layout.isTransition()) {
                forget();
                return DONE;
            }
            // Whoever had the claim meanwhile may have migrated something.
            boolean keptClaim = clean != null && System.nanoTime() - claimedAt < CLAIM.toNanos();
            if (!keptClaim || !layout.equals(clean)) {
                clean = null;
            }
            if (!claim()) {
                clean = null;
                layouts.refresh(queue);
                return backOff.nextBackOff();
            }
            long again = FIRST_PAUSE_MILLIS;
            try {
                again = migrateUnder(layout);
                return again;
            } finally {
                if (clean == null) {
                    StoreAnswers.await(store.layouts().claimMigrator(queue, owner, Duration.ZERO));
                }
            }
        }

        private void forget() {
            clean = null;
            left = Set.of();
            reported.clear();
            backOff = BACK_OFF.start();
        }

        private long migrateUnder(QueueLayout layout) {
            ShardMigration migration = new ShardMigration(store, queue, layout, this::mayGoOn, reported);
            if (!layout.equals(leftUnder)) {
                left = Set.of();
                leftUnder = layout;
            }
            if (!left.isEmpty() && stillLeft(migration)) {
                return backOff.nextBackOff();
            }
            ShardMigration.Pass pass;
            do {
                pass = migration.pass();
                tell(pass);
            } while (pass.migrated() > 0 && mayGoOn());
            left = pass.isComplete() ? Set.copyOf(pass.left()) : Set.of();
            if (!pass.isClean()) {
                clean = null;
                return backOff.nextBackOff();
            }
            backOff = BACK_OFF.start();
            if (clean == null) {
                clean = layout;
                cleanAt = System.nanoTime();
            }
            long wait = betweenCleanPasses.toNanos() - (System.nanoTime() - cleanAt);
            if (wait > 0) {
                return Math.max(1, NANOSECONDS.toMillis(wait) + 1);
            }
            clean = null;
            migration.carryTokens();
            return mayGoOn() ? settle(layout) : FIRST_PAUSE_MILLIS;
        }

        /** Looks only where tasks had to stay, as long as some are there. */
        private boolean stillLeft(ShardMigration migration) {
            ShardMigration.Pass pass = migration.pass(left);
            tell(pass);
            clean = null;
            if (pass.isComplete() && !pass.left().isEmpty()) {
                left = Set.copyOf(pass.left());
                return true;
            }
            left = Set.of();
            return !pass.isComplete();
        }

        private void tell(ShardMigration.Pass pass) {
            if (pass.migrated() > 0) {
                backOff = BACK_OFF.start();
                log.info("Queue '{}': {} tasks migrated to their new shards", queue, pass.migrated());
            }
        }

        private long settle(QueueLayout layout) {
            LayoutRecord answer = StoreAnswers.await(store.layouts()
                    .putLayout(
                            queue,
                            layout.epoch(),
                            layout.epoch(),
                            layout.settled().change()));
            if (answer.text().isEmpty()) {
                layouts.refresh(queue);
                return FIRST_PAUSE_MILLIS;
            }
            layouts.adopt(queue, QueueLayout.parse(queue, answer.text()));
            if (answer.recorded()) {
                log.info("Queue '{}': every task is in its shard; {} shard(s)", queue, layout.shards());
            }
            return layouts.of(queue).isTransition() ? FIRST_PAUSE_MILLIS : DONE;
        }

        /** Once it is refused, it is asked for again: an answer of earlier proves nothing. */
        private boolean mayGoOn() {
            return !closed
                    && !Thread.currentThread().isInterrupted()
                    && (System.nanoTime() - claimedAt < RENEWAL_NANOS || claim());
        }

        private boolean claim() {
            long now = System.nanoTime();
            boolean mine = StoreAnswers.await(store.layouts().claimMigrator(queue, owner, CLAIM));
            claimedAt = mine ? now : now - CLAIM.toNanos();
            return mine;
        }
    }
}
