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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * Queries the figures of all queues in the background. A round queries the shards of a queue, at most one per second.
 * The next round of the queue starts an interval after the start of the previous one. Readers never wait for Redis. The
 * first reader starts the queries. Thread-safe.
 */
public final class QueueOutlooks implements DisposableBean {

    /** The time between two commands for the same queue. */
    private static final Duration TICK = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(QueueOutlooks.class);

    private final TaskStore store;
    private final Shardings shardings;
    private final Duration interval;
    private final Duration staleAfter;
    private final Map<String, Round> rounds = new LinkedHashMap<>();
    private final Scheduler scheduler;
    private Scheduler.@Nullable Scheduled ticks;

    /**
     * @param interval time between the starts of two rounds of a queue
     * @param staleAfter age above which figures are too old, in addition to the duration of a round
     */
    public QueueOutlooks(
            TaskStore store,
            Shardings shardings,
            QueueCatalog queues,
            Scheduler scheduler,
            Duration interval,
            Duration staleAfter) {
        this.scheduler = scheduler;
        this.store = store;
        this.shardings = shardings;
        this.interval = interval;
        this.staleAfter = staleAfter;
        queues.names().forEach(queue -> rounds.put(queue, new Round(queue)));
    }

    /**
     * Starts the queries, unless they have started. To spread the load, the queues start at different times within the
     * interval.
     */
    public synchronized void start() {
        if (ticks == null) {
            long now = System.nanoTime();
            for (Round round : rounds.values()) {
                round.startAt(now + (rounds.size() == 1 ? 0 : spread()));
            }
            ticks = scheduler.every(Duration.ofMillis(100), TICK, this::tick);
        }
    }

    /** Returns the time between the starts of two queues; less than a tick if there are few queues. */
    private long spread() {
        long width = Math.min(interval.toNanos(), TICK.toNanos() * (rounds.size() / 10));
        return width <= 0 ? 0 : ThreadLocalRandom.current().nextLong(width);
    }

    private void tick() {
        long now = System.nanoTime();
        rounds.values().forEach(round -> round.askNext(now));
    }

    /** Returns the latest figures, regardless of their age; empty if there are none yet. */
    public Optional<QueueOutlook> last(String queue) {
        Round round = rounds.get(queue);
        return Optional.ofNullable(round == null ? null : round.last);
    }

    /** Returns the age of the latest figures; if there are none yet, the time since the queries started. */
    public Duration age(String queue) {
        Round round = rounds.get(queue);
        return round == null ? Duration.ZERO : round.age();
    }

    /** Returns whether the latest figures are too old, or the first ones are overdue. */
    public boolean isTooOld(String queue) {
        Round round = rounds.get(queue);
        return round != null && round.age().compareTo(round.validFor()) > 0;
    }

    @Override
    public synchronized void destroy() {
        if (ticks != null) {
            ticks.cancel();
        }
    }

    /** A round over the shards of a queue. The timer sends the queries, and driver threads process the replies. */
    private final class Round {

        private final String queue;
        private final List<ShardStats> answers = new ArrayList<>();
        private volatile int span;
        private long begunAt;
        private long beginsAt;
        private volatile @Nullable Long startsAt;
        private volatile boolean asking;
        private volatile @Nullable QueueOutlook last;

        Round(String queue) {
            this.queue = queue;
        }

        /** Called before the first query. */
        void startAt(long nanos) {
            beginsAt = nanos;
            startsAt = nanos;
        }

        Duration age() {
            QueueOutlook known = last;
            Long start = startsAt;
            if (known != null) {
                return known.age();
            }
            return start == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, System.nanoTime() - start));
        }

        Duration validFor() {
            QueueOutlook known = last;
            return known != null ? known.validFor() : staleAfter.plus(TICK.multipliedBy(span));
        }

        void askNext(long now) {
            if (asking || beginsAt - now > 0) {
                return;
            }
            if (answers.isEmpty()) {
                span = shardings.of(queue).span();
                begunAt = now;
            }
            asking = true;
            Shard shard = new Shard(queue, answers.size());
            Guard.call(() -> store.shards().stats(shard, QueueOutlook.AHEAD))
                    .whenComplete((outlook, error) -> answered(outlook, error, now));
        }

        /** Processes the reply of a shard. After a failure, the round ends without new figures. */
        private void answered(@Nullable ShardStats outlook, @Nullable Throwable error, long asked) {
            try {
                if (outlook != null) {
                    answers.add(outlook);
                }
                if (outlook == null || answers.size() >= span) {
                    if (outlook != null) {
                        last = QueueOutlook.of(answers, System.nanoTime(), staleAfter.plus(TICK.multipliedBy(span)));
                    } else {
                        log.debug("Queue '{}': could not count its tasks", queue, error);
                    }
                    beginsAt = Math.max(begunAt + interval.toNanos(), asked + TICK.toNanos() / 2);
                    answers.clear();
                }
            } finally {
                asking = false;
            }
        }
    }
}
