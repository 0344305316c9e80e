// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueCatalog;
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
 * What is known of all queues, asked of Redis in the background: of each queue one shard in a second at most, and a queue
 * again when the interval has passed since it was begun. Nobody who reads waits for Redis. Nothing is asked before
 * somebody wants to know. Every process asks for itself. Safe for use by many threads.
 */
public final class QueueOutlooks implements DisposableBean {

    /** Between two commands for the same queue. */
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
     * @param interval from the begin of one round of a queue's shards to that of the next
     * @param staleAfter when an outlook is too old, beside the time that a round takes
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

    /** Asks from now on, if it does not yet. The queues begin within the interval, so that they do not ask all at once. */
    public synchronized void start() {
        if (ticks == null) {
            long now = System.nanoTime();
            for (Round round : rounds.values()) {
                round.startAt(now + (rounds.size() == 1 ? 0 : spread()));
            }
            ticks = scheduler.every(Duration.ofMillis(100), TICK, this::tick);
        }
    }

    /** Less than a tick where there are few. */
    private long spread() {
        long width = Math.min(interval.toNanos(), TICK.toNanos() * (rounds.size() / 10));
        return width <= 0 ? 0 : ThreadLocalRandom.current().nextLong(width);
    }

    private void tick() {
        long now = System.nanoTime();
        rounds.values().forEach(round -> round.askNext(now));
    }

    /** The last one, however old; empty until the first was there. */
    public Optional<QueueOutlook> last(String queue) {
        Round round = rounds.get(queue);
        return Optional.ofNullable(round == null ? null : round.last);
    }

    /** How old the last one is, or for how long the first has been awaited. */
    public Duration age(String queue) {
        Round round = rounds.get(queue);
        return round == null ? Duration.ZERO : round.age();
    }

    /** Whether the last one, or the first that has yet to come, should have been there before now. */
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

    /** The shards of one queue, one after the other. The timer asks, and the driver's answers while that waits. */
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

        /** Before the timer asks. */
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

        /** One that fails ends the round, and the last outlook grows old. */
        private void answered(@Nullable ShardStats outlook, @Nullable Throwable error, long asked) {
            try {
                if (outlook != null) {
                    answers.add(outlook);
                }
                if (outlook == null || answers.size() >= span) {
                    if (outlook != null) {
                        last = QueueOutlook.of(answers, System.nanoTime(), staleAfter.plus(TICK.multipliedBy(span)));
                    } else {
                        log.debug("Queue '{}': its tasks could not be counted", queue, error);
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
