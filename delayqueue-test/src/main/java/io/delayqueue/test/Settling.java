// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.admin.QueuePause;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.internal.store.PendingChanges;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Waits until no due tasks are left.
 *
 * @param elsewhere sources of changes that have not reached the queues yet
 */
record Settling(
        QueueViews queues,
        Pollers pollers,
        ObservedDeliveries deliveries,
        Supplier<List<PendingChanges>> elsewhere,
        Duration timeout) {

    private static final long SHORTEST_PAUSE = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * Waits until no task is due or in progress, and all changes have reached the queues. Queues are read one after
     * another, and a handler may schedule a task in a queue that was already read. Therefore, all queues must be idle
     * in two consecutive reads without a delivery in between. If a handler cancels or replaces its own task, Redis no
     * longer knows the delivery. Therefore, all observed deliveries must also have ended.
     *
     * @return time when the next task is due; empty if there is none
     * @throws AssertionError if tasks are left and no delivery starts within the time-out, or if a task is delivered
     *     endlessly
     */
    Optional<Instant> await() {
        long progressAt = System.nanoTime();
        long begunBefore = -1;
        boolean quietBefore = false;
        long pause = SHORTEST_PAUSE;
        deliveries.atNewMoment();
        pollers.wake();
        while (true) {
            if (deliveries.endless() != null) {
                throw new AssertionError(deliveries.endless() + ", " + queues.now()
                        + ": does its handler or retry policy make it due again at once?");
            }
            long begun = deliveries.begun();
            long onTheirWay = bringIn();
            Map<String, QueueStats> stats = look();
            boolean quiet =
                    onTheirWay == 0 && stats.values().stream().allMatch(Settling::isQuiet) && deliveries.areOver();
            if (quiet && quietBefore && begun == begunBefore && deliveries.begun() == begun) {
                return next(stats.values());
            }
            if (begun != begunBefore) {
                progressAt = System.nanoTime();
                pause = SHORTEST_PAUSE;
            }
            quietBefore = quiet;
            begunBefore = begun;
            if (!quiet) {
                if (System.nanoTime() - progressAt > timeout.toNanos()) {
                    throw new AssertionError(unsettled(stats));
                }
                pause(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE);
                pollers.wake(); // A signal may be lost, for example before the first connection.
            }
        }
    }

    /**
     * Waits for another condition.
     *
     * @throws AssertionError if it is not met in time
     */
    void await(BooleanSupplier condition, Supplier<String> otherwise) {
        await(condition, () -> 0, otherwise);
    }

    /**
     * Waits for a condition that requires deliveries to end.
     *
     * @throws AssertionError if it is not met and no delivery has ended within the time-out
     */
    void awaitEnds(BooleanSupplier condition, Supplier<String> otherwise) {
        await(condition, deliveries::ended, otherwise);
    }

    private void await(BooleanSupplier condition, LongSupplier progress, Supplier<String> otherwise) {
        long before = progress.getAsLong();
        long progressAt = System.nanoTime();
        long pause = SHORTEST_PAUSE;
        while (!condition.getAsBoolean()) {
            long made = progress.getAsLong();
            if (made != before) {
                before = made;
                progressAt = System.nanoTime();
            }
            if (System.nanoTime() - progressAt > timeout.toNanos()) {
                throw new AssertionError("Waited " + timeout + ". " + otherwise.get());
            }
            pause(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
    }

    /**
     * Waits until all committed changes are in the queues.
     *
     * @throws AssertionError if they do not arrive in time
     */
    void awaitArrivals() {
        await(this::hasNothingElsewhere, () -> "Not all changes have reached Redis." + onTheirWay());
    }

    /** Returns whether all committed changes are in the queues. If not, requests that they be sent, without waiting. */
    boolean hasNothingElsewhere() {
        return bringIn() == 0;
    }

    /** Returns the reason why the kit does not wait for a queue's tasks, if it does not. */
    Optional<String> notWaitedFor(String queue) {
        if (!pollers.queues().contains(queue)) {
            return Optional.of(
                    "no started trigger of this context scans it. It needs a started handler, or an exchange and "
                            + "a broker (see delayqueue.test.embedded.rabbit)");
        }
        return queues.stats(queue).paused() ? Optional.of("it is paused") : Optional.empty();
    }

    private long bringIn() {
        long all = 0;
        for (PendingChanges place : elsewhere.get()) {
            long here = place.count();
            if (here > 0) {
                place.hurry();
            }
            all += here;
        }
        return all;
    }

    /** Counts the deliveries in progress of all queues, and the due tasks of queues that are scanned. */
    private Map<String, QueueStats> look() {
        Set<String> scanned = pollers.queues();
        Map<String, QueueStats> stats = new TreeMap<>();
        for (String queue : queues.names()) {
            QueueStats found = queues.stats(queue);
            stats.put(queue, scanned.contains(queue) && !found.paused() ? found : begunOnly(found));
        }
        return stats;
    }

    /** Returns only the deliveries in progress, and the end of the pause, because tasks are delivered from then on. */
    private static QueueStats begunOnly(QueueStats found) {
        Optional<Instant> end = found.pause().map(QueuePause::until);
        return new QueueStats(0, 0, 0, found.leased(), 0, end, found.pause());
    }

    private static boolean isQuiet(QueueStats stats) {
        return stats.ready() == 0 && stats.leased() == 0;
    }

    private static Optional<Instant> next(Collection<QueueStats> all) {
        return all.stream().flatMap(stats -> stats.nextAttention().stream()).min(Instant::compareTo);
    }

    private String unsettled(Map<String, QueueStats> stats) {
        StringBuilder text = new StringBuilder("Not settled, and no delivery has started for ")
                .append(timeout)
                .append(" (delayqueue.test.timeout). The queues' clock is at ")
                .append(queues.now())
                .append('.');
        stats.forEach((queue, counts) -> {
            if (!isQuiet(counts)) {
                text.append(System.lineSeparator())
                        .append("  queue '")
                        .append(queue)
                        .append("': ")
                        .append(counts.leased())
                        .append(" in progress, ")
                        .append(counts.ready())
                        .append(" due")
                        .append(queues.described(queue, true));
            }
        });
        return text.append(deliveries.describedWithoutLease(queues::isLeased))
                .append(onTheirWay())
                .toString();
    }

    /** Describes the changes that have not reached the queues yet. */
    String onTheirWay() {
        StringBuilder text = new StringBuilder();
        for (PendingChanges place : elsewhere.get()) {
            long tasks = place.count();
            if (tasks > 0) {
                text.append(System.lineSeparator())
                        .append("  ")
                        .append(place.place())
                        .append(" has changes to ")
                        .append(tasks)
                        .append(" task(s) that have not reached Redis");
            }
        }
        return text.toString();
    }

    private static void pause(long nanos) {
        LockSupport.parkNanos(nanos);
        if (Thread.currentThread().isInterrupted()) {
            throw new AssertionError("Interrupted while waiting for the queues");
        }
    }
}
