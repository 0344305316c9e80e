// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

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

/** Waits until nothing is due. */
final class Settling {

    private static final long SHORTEST_PAUSE = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private final QueueViews queues;
    private final Pollers pollers;
    private final ObservedDeliveries deliveries;
    private final Supplier<List<PendingChanges>> elsewhere;
    private final Duration timeout;

    /** @param elsewhere where changes may be that have yet to reach the queues */
    Settling(
            QueueViews queues,
            Pollers pollers,
            ObservedDeliveries deliveries,
            Supplier<List<PendingChanges>> elsewhere,
            Duration timeout) {
        this.queues = queues;
        this.pollers = pollers;
        this.deliveries = deliveries;
        this.elsewhere = elsewhere;
        this.timeout = timeout;
    }

    /**
     * Waits until nothing is due, under delivery, or on its way to the queues. Queues are looked at one after the other, and
     * a handler may move work from one that is yet to be looked at to one that was. So they are looked at twice, and no
     * delivery may have begun meanwhile: whatever was moved behind the first look is seen by the second, or has begun. Redis
     * knows nothing of a delivery whose lease was ended, as its handler has cancelled or replaced its own task. So what was
     * observed to begin must be over too.
     *
     * @return when something will be due; nothing if nothing waits
     * @throws AssertionError if no delivery begins for the time-out and something is left, or if one task is delivered over
     *     and over again
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
                        + ": does its handler, or its retry policy, have it due again at once?");
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
                pollers.wake(); // a signal may be lost, as before the first connection
            }
        }
    }

    /**
     * Waits for something else.
     *
     * @throws AssertionError if it is not so in time
     */
    void await(BooleanSupplier condition, Supplier<String> otherwise) {
        await(condition, () -> 0, otherwise);
    }

    /**
     * Waits for something that deliveries have to end for.
     *
     * @throws AssertionError if it is not so, and none has ended for the time-out
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
     * Waits until what was committed elsewhere is in the queues.
     *
     * @throws AssertionError if it is not in time
     */
    void awaitArrivals() {
        await(this::hasNothingElsewhere, () -> "Not all has reached Redis." + onTheirWay());
    }

    /** Whether all that was committed elsewhere is in the queues; has it brought there otherwise, and does not wait. */
    boolean hasNothingElsewhere() {
        return bringIn() == 0;
    }

    /** Why a queue's tasks are not waited for, if they are not. */
    Optional<String> notWaitedFor(String queue) {
        if (!pollers.queues().contains(queue)) {
            return Optional.of("no started trigger of this context scans it");
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

    /** What has begun is waited for in all queues, what is due in those alone whose tasks are taken. */
    private Map<String, QueueStats> look() {
        Set<String> scanned = pollers.queues();
        Map<String, QueueStats> stats = new TreeMap<>();
        for (String queue : queues.names()) {
            QueueStats found = queues.stats(queue);
            stats.put(queue, scanned.contains(queue) && !found.paused() ? found : begunOnly(found));
        }
        return stats;
    }

    private static QueueStats begunOnly(QueueStats found) {
        return new QueueStats(0, 0, found.leased(), 0, Optional.empty(), found.paused());
    }

    private static boolean isQuiet(QueueStats stats) {
        return stats.ready() == 0 && stats.leased() == 0;
    }

    private static Optional<Instant> next(Collection<QueueStats> all) {
        return all.stream().flatMap(stats -> stats.nextAttention().stream()).min(Instant::compareTo);
    }

    private String unsettled(Map<String, QueueStats> stats) {
        StringBuilder text = new StringBuilder("Not settled, and no delivery has begun for ")
                .append(timeout)
                .append(" (delayqueue.test.timeout). By the clock of the queues it is ")
                .append(queues.now())
                .append('.');
        stats.forEach((queue, counts) -> {
            if (!isQuiet(counts)) {
                text.append(System.lineSeparator())
                        .append("  queue '")
                        .append(queue)
                        .append("': ")
                        .append(counts.leased())
                        .append(" under delivery, ")
                        .append(counts.ready())
                        .append(" due")
                        .append(queues.described(queue, true));
            }
        });
        return text.append(deliveries.describedWithoutLease(queues::isLeased))
                .append(onTheirWay())
                .toString();
    }

    /** What has yet to reach the queues, in words. */
    String onTheirWay() {
        StringBuilder text = new StringBuilder();
        for (PendingChanges place : elsewhere.get()) {
            long tasks = place.count();
            if (tasks > 0) {
                text.append(System.lineSeparator())
                        .append("  ")
                        .append(place.place())
                        .append(" has changes of ")
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
