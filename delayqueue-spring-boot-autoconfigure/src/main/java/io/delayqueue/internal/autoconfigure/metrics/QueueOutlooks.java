// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * Figures of all queues, queried in the background. In each interval it queries the shards of every queue, one shard
 * after the other. Readers never wait for Redis. Querying starts with the first reader. Each process has its own
 * figures. Thread-safe.
 */
public final class QueueOutlooks implements DisposableBean {

    private static final int STALE_AFTER_INTERVALS = 8;

    private static final Logger log = LoggerFactory.getLogger(QueueOutlooks.class);

    private final TaskStore store;
    private final Shardings shardings;
    private final Scheduler scheduler;
    private final Duration interval;
    private final Map<String, Round> rounds = new LinkedHashMap<>();
    private volatile @Nullable Long startedAt;
    private final List<Scheduler.Scheduled> ticks = new ArrayList<>();

    /** @param interval time between two rounds over the shards of a queue */
    public QueueOutlooks(
            TaskStore store, Shardings shardings, QueueCatalog queues, Scheduler scheduler, Duration interval) {
        this.store = store;
        this.shardings = shardings;
        this.scheduler = scheduler;
        this.interval = interval;
        queues.names().forEach(queue -> rounds.put(queue, new Round(queue)));
    }

    /** Starts querying, unless it has started. */
    public synchronized void start() {
        if (startedAt != null) {
            return;
        }
        startedAt = System.nanoTime();
        Iterator<Duration> begins = begins(rounds.size(), interval).iterator();
        rounds.values().forEach(round -> ticks.add(scheduler.every(begins.next(), interval, round::begin)));
    }

    /**
     * Returns when the queues begin. They begin one after another, and processes begin at different times, so that
     * Redis gets no bursts of calls.
     */
    static List<Duration> begins(int queues, Duration interval) {
        Duration part = interval.dividedBy(Math.max(1, queues));
        Duration first = Duration.ofNanos(ThreadLocalRandom.current().nextLong(part.toNanos()));
        return IntStream.range(0, queues)
                .mapToObj(queue -> first.plus(part.multipliedBy(queue)))
                .toList();
    }

    /** Returns the latest figures, regardless of age; empty before the first. */
    public Optional<QueueOutlook> last(String queue) {
        return Optional.ofNullable(Objects.requireNonNull(rounds.get(queue)).last);
    }

    /** Returns the age of the latest figures; if there are none yet, the time since the queries started. */
    public Duration age(String queue) {
        QueueOutlook known = last(queue).orElse(null);
        Long since = (known == null) ? startedAt : Long.valueOf(known.takenNanos());
        return since == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    /** Returns whether the latest figures are too old, or the first ones are overdue. */
    public boolean isTooOld(String queue) {
        return age(queue).compareTo(interval.multipliedBy(STALE_AFTER_INTERVALS)) > 0;
    }

    @Override
    public synchronized void destroy() {
        ticks.forEach(Scheduler.Scheduled::cancel);
    }

    /** The shards of one queue. The timer sends the first query, and driver threads process the replies. */
    private final class Round {

        private final String queue;
        private final AtomicBoolean running = new AtomicBoolean();
        private volatile @Nullable QueueOutlook last;

        Round(String queue) {
            this.queue = queue;
        }

        void begin() {
            if (running.compareAndSet(false, true)) {
                askNext(new ArrayList<>());
            }
        }

        private void askNext(List<ShardStats> answers) {
            Guard.call(() -> store.shards().stats(new Shard(queue, answers.size()), QueueOutlook.AHEAD))
                    .whenComplete((answer, error) -> {
                        if (Guard.or(log, "Could not read a count", false, () -> answered(answers, answer, error))) {
                            askNext(answers);
                        } else {
                            running.set(false);
                        }
                    });
        }

        /** Returns whether the round continues. A failure ends it, and the latest figures keep aging. */
        private boolean answered(List<ShardStats> answers, @Nullable ShardStats answer, @Nullable Throwable error) {
            if (answer == null) {
                log.debug("Queue '{}': could not count its tasks", queue, error);
                return false;
            }
            answers.add(answer);
            if (answers.size() < shardings.of(queue).span()) {
                return true;
            }
            last = QueueOutlook.of(answers, System.nanoTime());
            return false;
        }
    }
}
