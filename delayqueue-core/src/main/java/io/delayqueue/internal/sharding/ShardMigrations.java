// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.store.ShardingRecord;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Migrates the tasks of the queues that this process scans whenever their number of shards changes, and records the end
 * of the change. One process at a time migrates the tasks of a queue.
 *
 * @param betweenCleanPasses time between the two clean passes that end a change; must be longer than a server needs to
 *     write deletions to its disk or its replicas, and less than 10 s
 */
public record ShardMigrations(
        TaskStore store, Shardings shardings, BackgroundWorker worker, Duration betweenCleanPasses)
        implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ShardMigrations.class);
    private static final Duration CLAIM = Duration.ofSeconds(10);
    private static final long DONE = -1;
    private static final long FIRST_PAUSE_MILLIS = 1000;
    private static final BackOff BACK_OFF =
            DoublingBackOff.between(Duration.ofMillis(FIRST_PAUSE_MILLIS), Duration.ofSeconds(30));
    private static final Duration BETWEEN_CLEAN_PASSES = Duration.ofSeconds(3);

    public ShardMigrations(TaskStore store, Shardings shardings, Scheduler scheduler) {
        this(store, shardings, scheduler.worker(), BETWEEN_CLEAN_PASSES);
    }

    /**
     * Migrates the tasks of a queue, now and whenever its sharding changes, until the returned handle is cancelled. Does not
     * block.
     */
    public Scheduler.Scheduled watch(String queue) {
        Watch watch = new Watch(queue);
        Scheduler.Scheduled registration = shardings.listen(queue, watch::soon);
        watch.soon();
        return () -> {
            watch.closed = true;
            registration.cancel();
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
        private final WorkClaim claim;
        private BackOffExecution backOff = BACK_OFF.start();
        private @Nullable ShardMigration migration;
        /** The time when the first of two clean passes ended, by {@link System#nanoTime}; null if there was none. */
        private @Nullable Long cleanSince;

        Watch(String queue) {
            this.queue = queue;
            this.claim = new WorkClaim(CLAIM, (owner, time) -> store.shardings().claimMigrator(queue, owner, time));
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
                    Guard.tell(() ->
                            log.warn("Queue '{}': the migration of tasks will resume at the next signal", queue, ex));
                }
            }
        }

        private void run() {
            planned.set(false);
            long again = FIRST_PAUSE_MILLIS;
            try {
                again = closed ? DONE : work();
            } catch (ShardingChangedException ex) {
                cleanSince = null;
                log.debug("Queue '{}': its sharding changed during the migration of tasks", queue);
                Guard.call(() -> shardings.refresh(queue));
            } catch (Throwable ex) {
                cleanSince = null;
                again = backOff.nextBackOff();
                reportUnlessClosed(again, ex);
            }
            if (again != DONE) {
                plan(again);
            }
        }

        private void reportUnlessClosed(long again, Throwable error) {
            if (!closed) {
                Guard.tell(() -> log.atLevel(TaskFailures.isOutage(error) ? Level.DEBUG : Level.WARN)
                        .log(
                                "Queue '{}': could not migrate tasks to their new shards; retrying in {} ms: {}",
                                queue,
                                again,
                                error.toString()));
            }
        }

        /** Does the work that is due. Returns the milliseconds until more work is due. */
        private long work() {
            Sharding sharding = shardings.of(queue);
            if (sharding.isUnknown()) {
                sharding = StoreAnswers.await(shardings.refresh(queue));
            }
            if (!sharding.isMigrating()) {
                migration = null;
                cleanSince = null;
                backOff = BACK_OFF.start();
                return DONE;
            }
            // Without the claim, another process may have migrated tasks since the clean pass.
            boolean keptClaim = claim.isUnexpired();
            if (!claim.isHeld()) {
                cleanSince = null;
                shardings.refresh(queue);
                return backOff.nextBackOff();
            }
            if (!keptClaim) {
                cleanSince = null;
            }
            try {
                return migrate(migrationUnder(sharding));
            } finally {
                if (cleanSince == null) {
                    claim.giveUp();
                }
            }
        }

        private ShardMigration migrationUnder(Sharding sharding) {
            ShardMigration running = migration;
            if (running == null || !running.sharding().equals(sharding)) {
                running = new ShardMigration(store, queue, sharding, this::mayGoOn);
                migration = running;
                cleanSince = null;
            }
            return running;
        }

        private long migrate(ShardMigration running) {
            ShardMigration.Pass pass;
            do {
                pass = running.pass();
                if (pass.migrated() > 0) {
                    backOff = BACK_OFF.start();
                    log.info("Queue '{}': migrated {} task(s) to their new shards", queue, pass.migrated());
                }
            } while (pass.migrated() > 0 && mayGoOn());
            if (!pass.isClean()) {
                cleanSince = null;
                return pass.isComplete() && pass.left().isEmpty() ? 0 : backOff.nextBackOff();
            }
            backOff = BACK_OFF.start();
            if (cleanSince == null) {
                cleanSince = System.nanoTime();
            }
            long wait = betweenCleanPasses.toNanos() - (System.nanoTime() - cleanSince);
            if (wait > 0) {
                return NANOSECONDS.toMillis(wait) + 1;
            }
            cleanSince = null;
            running.carryTokens();
            running.removeCopiedLimits();
            return mayGoOn() ? settle(running.sharding()) : FIRST_PAUSE_MILLIS;
        }

        private long settle(Sharding sharding) {
            ShardingRecord answer = StoreAnswers.await(store.shardings()
                    .putSharding(
                            queue,
                            sharding.epoch(),
                            sharding.epoch(),
                            sharding.settled().change()));
            if (answer.text().isEmpty()) {
                shardings.refresh(queue);
                return FIRST_PAUSE_MILLIS;
            }
            shardings.adopt(queue, Sharding.parse(queue, answer.text()));
            if (answer.recorded()) {
                log.info("Queue '{}': migration complete; {} shard(s)", queue, sharding.shards());
            }
            return shardings.of(queue).isMigrating() ? FIRST_PAUSE_MILLIS : DONE;
        }

        private boolean mayGoOn() {
            return !closed && !Thread.currentThread().isInterrupted() && claim.isHeld();
        }
    }
}
