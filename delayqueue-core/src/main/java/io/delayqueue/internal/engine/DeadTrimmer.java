// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Deletes dead tasks whose retention has ended or that exceed the queue's limit, once a minute for each queue that this
 * process scans. Counts the deleted tasks and logs a warning. If several processes do this, each task is deleted and
 * counted once.
 */
record DeadTrimmer(
        TaskStore store, Shardings shardings, BackgroundWorker worker, DeliveryEvents events, Duration period)
        implements AutoCloseable {

    static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(DeadTrimmer.class);

    /** Trims a queue until the returned handle is cancelled. Does nothing for a queue that keeps all its dead tasks. */
    Scheduler.Scheduled watch(QueueSettings queue) {
        return queue.dead().keepsAll() ? () -> {} : worker.every(period, () -> trimOrWarn(queue));
    }

    private void trimOrWarn(QueueSettings queue) {
        Deleted tasks = new Deleted(queue);
        try {
            deleteAged(queue, tasks);
            deleteOverCap(queue, tasks);
        } catch (ShardingChangedException ex) {
            log.debug("Queue '{}': its sharding changed while dead tasks were being deleted", queue.name());
        } catch (RuntimeException ex) {
            log.atLevel(TaskFailures.isOutage(ex) ? Level.DEBUG : Level.WARN)
                    .log(
                            "Queue '{}': could not trim dead tasks; retrying in {}: {}",
                            queue.name(),
                            period,
                            ex.getMessage());
        } finally {
            tasks.report();
        }
    }

    private void deleteAged(QueueSettings queue, Deleted tasks) {
        Duration retention = queue.dead().retention();
        if (retention == null) {
            return;
        }
        int shards = shardings.of(queue.name()).span();
        inEachShard(queue.name(), shards, () -> !Thread.currentThread().isInterrupted(), shard -> {
            DeadTrim trim;
            do {
                trim = StoreAnswers.await(store.dead().trim(shard, retention, TaskStore.MAX_BATCH));
                trim.ids().forEach(tasks::aged);
            } while (trim.more() && !Thread.currentThread().isInterrupted());
        });
    }

    /**
     * Makes a step for each shard. If some fail, makes the others before it throws the first failure.
     *
     * @return whether {@code mayGoOn} allowed all steps
     */
    static boolean inEachShard(String queue, int shards, BooleanSupplier mayGoOn, Consumer<Shard> step) {
        TaskStoreException failure = null;
        int shard = 0;
        for (; shard < shards && mayGoOn.getAsBoolean(); shard++) {
            try {
                step.accept(new Shard(queue, shard));
            } catch (TaskStoreException ex) {
                failure = failure == null ? ex : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return shard == shards;
    }

    private void deleteOverCap(QueueSettings queue, Deleted tasks) {
        if (queue.dead().cap() == null) {
            return;
        }
        DeadOverCap overCap =
                new DeadOverCap(store, shardings, queue.name(), queue.dead().cap());
        boolean more;
        do {
            more = overCap.deleteSome(tasks::overCap);
        } while (more && !Thread.currentThread().isInterrupted());
    }

    @Override
    public void close() {
        worker.close();
    }

    /** The tasks that one run has deleted. */
    private final class Deleted {

        private final QueueSettings queue;
        private long aged;
        private long overCap;
        private @Nullable String first;

        Deleted(QueueSettings queue) {
            this.queue = queue;
        }

        void aged(String id) {
            aged++;
            deleted(id);
        }

        void overCap(String id) {
            overCap++;
            deleted(id);
        }

        private void deleted(String id) {
            first = (first == null) ? id : first;
            events.report(counter -> counter.trimmed(queue.name(), 1));
            if (log.isDebugEnabled()) {
                log.debug("Queue '{}': deleted dead task '{}'", queue.name(), PrintableText.line(id, 256));
            }
        }

        void report() {
            if (first != null) {
                log.warn(
                        "Queue '{}': deleted {} dead tasks because of their age (retention {}) and {} "
                                + "because of their number (cap {}); the first was '{}'",
                        queue.name(),
                        aged,
                        Objects.requireNonNullElse(queue.dead().retention(), "none"),
                        overCap,
                        Objects.requireNonNullElse(queue.dead().cap(), "none"),
                        PrintableText.line(first, 256));
            }
        }
    }
}
