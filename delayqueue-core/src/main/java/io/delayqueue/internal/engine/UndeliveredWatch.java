// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.SerialWorker;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns about queues with tasks that no process delivers. Checks the queues that this process does not deliver once a
 * minute, and warns at most once an hour for each.
 */
final class UndeliveredWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(UndeliveredWatch.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration BETWEEN_WARNINGS = Duration.ofHours(1);

    private final TaskStore store;
    private final Shardings shardings;
    private final Duration period;
    private final Duration longest;
    private final SerialWorker worker;
    private final Set<String> delivered = ConcurrentHashMap.newKeySet();
    private final Map<String, Throttle> warnings = new ConcurrentHashMap<>();

    UndeliveredWatch(TaskStore store, Shardings shardings, Scheduler scheduler) {
        this(store, shardings, scheduler, PERIOD, LONGEST);
    }

    /** @param longest how long tasks may be overdue without a warning */
    UndeliveredWatch(TaskStore store, Shardings shardings, Scheduler scheduler, Duration period, Duration longest) {
        this.store = store;
        this.shardings = shardings;
        this.period = period;
        this.longest = longest;
        this.worker = scheduler.worker();
    }

    /** Starts checking these queues. */
    void watch(Collection<String> queues) {
        worker.every(period, () -> queues.forEach(this::look));
    }

    /** This process delivers the queue. */
    void begin(String queue) {
        delivered.add(queue);
    }

    /** This process no longer delivers the queue. */
    void end(String queue) {
        delivered.remove(queue);
    }

    private void look(String queue) {
        if (delivered.contains(queue)) {
            return;
        }
        try {
            long due = 0;
            Duration overdue = Duration.ZERO;
            int shards = shardings.of(queue).span();
            for (int shard = 0; shard < shards; shard++) {
                ShardStats stats = StoreAnswers.await(store.shards().stats(new Shard(queue, shard)));
                if (stats.paused() || stats.leased() > 0) {
                    return;
                }
                due += stats.due();
                overdue = stats.overdue().compareTo(overdue) > 0 ? stats.overdue() : overdue;
            }
            if (overdue.compareTo(longest) >= 0) {
                warn(queue, due, overdue);
            }
        } catch (RuntimeException ex) {
            log.debug("Queue '{}': could not read whether its tasks are delivered", queue, ex);
        }
    }

    private void warn(String queue, long due, Duration overdue) {
        if (warnings.computeIfAbsent(queue, any -> new Throttle(BETWEEN_WARNINGS))
                .passes()) {
            log.warn(
                    "Queue '{}': {} tasks are overdue, the first by {} s, and no process delivers any. "
                            + "Start a process with a handler, an exchange or a trigger for the queue, or check "
                            + "the log of the process that has one. Logged at most once an hour",
                    queue,
                    due,
                    overdue.toSeconds());
        }
    }

    @Override
    public void close() {
        worker.close();
    }
}
