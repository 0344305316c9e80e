// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.load.LoadApplication;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the run was, as far as the rules depend on it.
 *
 * @param cell its name
 * @param maxAttempts attempts after which a task is dead
 * @param maxExpiries leases that may run out before a task is dead
 * @param lease of the queues
 * @param maxIdleInterval of the triggers
 * @param faults whether faults were injected; without them there is no excuse for a duplicate
 * @param lossWindows when a failover may have undone what was answered, or given out tokens twice; empty where nothing
 *     may be lost
 * @param answersLast whether loss windows excuse only what is done to leases, as callers asked for replicas
 * @param clockSets when the Redis server's clock may have been set, so that the histories' Redis times are worth
 *     nothing
 * @param clockTolerance how far the histories' Redis times may be off
 * @param recovery whether deliveries must be on time after the last fault: what was due by then attempted within one
 *     lease and two idle intervals, and every attempt with a p99 of less than a second from {@code settleAfter} on
 * @param settleAfter see there
 * @param onTime when attempts had to be on time whatever else happened; judged together with {@code recovery}
 * @param brokerQueues queues whose tasks go to RabbitMQ; the deliveries of all others are those of handlers
 * @param brokerStays whether the applications never lose RabbitMQ, so that what it leaves without an answer has to
 *     count
 * @param silentPercent of the tasks for RabbitMQ, by their ids, go to a queue that may be silent; all others to one
 *     that is not
 * @param callsWithin within which each call of an application is to be answered
 * @param expiresAfter how long tasks may be overdue when they are delivered; null for any time
 * @param window in which hours tasks are delivered, as text; null for any
 */
public record CheckSettings(
        String cell,
        int maxAttempts,
        int maxExpiries,
        Duration lease,
        Duration maxIdleInterval,
        boolean faults,
        List<Window> lossWindows,
        boolean answersLast,
        List<Window> clockSets,
        Duration clockTolerance,
        boolean recovery,
        Duration settleAfter,
        List<OnTime> onTime,
        Set<String> brokerQueues,
        boolean brokerStays,
        int silentPercent,
        Duration callsWithin,
        @Nullable Duration expiresAfter,
        @Nullable String window) {

    /** Nothing is said about it. */
    private static final Duration ANY_TIME = Duration.ofDays(1);

    /** A run without faults, in which nothing may be lost, and nothing is said about lateness. */
    public static CheckSettings of(String cell, int maxAttempts, Duration lease, Set<String> brokerQueues) {
        return new CheckSettings(
                cell,
                maxAttempts,
                5,
                lease,
                Duration.ofSeconds(5),
                false,
                List.of(),
                false,
                List.of(),
                Duration.ofMillis(5),
                false,
                Duration.ofSeconds(30),
                List.of(),
                Set.copyOf(brokerQueues),
                false,
                100,
                ANY_TIME,
                null,
                null);
    }

    /** Judges how long the applications' calls take. */
    public CheckSettings withCallsWithin(Duration limit) {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                maxIdleInterval,
                faults,
                lossWindows,
                answersLast,
                clockSets,
                clockTolerance,
                recovery,
                settleAfter,
                onTime,
                brokerQueues,
                brokerStays,
                silentPercent,
                limit,
                expiresAfter,
                window);
    }

    /** Tasks are not delivered later than so long after their due time, and only in these hours. */
    public CheckSettings withTiming(@Nullable Duration longest, @Nullable String hours) {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                maxIdleInterval,
                faults,
                lossWindows,
                answersLast,
                clockSets,
                clockTolerance,
                recovery,
                settleAfter,
                onTime,
                brokerQueues,
                brokerStays,
                silentPercent,
                callsWithin,
                longest,
                hours);
    }

    public CheckSettings withFaults() {
        return with(maxExpiries, maxIdleInterval, true, lossWindows, answersLast, clockSets, clockTolerance, recovery);
    }

    public CheckSettings withMaxExpiries(int newMaxExpiries) {
        return with(
                newMaxExpiries, maxIdleInterval, faults, lossWindows, answersLast, clockSets, clockTolerance, recovery);
    }

    /** Judges lateness, for triggers with this idle interval. */
    public CheckSettings withRecovery(Duration newMaxIdleInterval) {
        return with(maxExpiries, newMaxIdleInterval, faults, lossWindows, answersLast, clockSets, clockTolerance, true);
    }

    /** With faults, and windows in which loss is allowed, as a failover without WAIT states them. */
    public CheckSettings withLossWithin(List<Window> windows) {
        return with(
                maxExpiries,
                maxIdleInterval,
                true,
                List.copyOf(windows),
                answersLast,
                clockSets,
                clockTolerance,
                recovery);
    }

    /** Callers asked for replicas: what they were answered outlives a failover. */
    public CheckSettings withAnswersThatLast() {
        return with(maxExpiries, maxIdleInterval, faults, lossWindows, true, clockSets, clockTolerance, recovery);
    }

    /**
     * With faults, and windows in which the Redis server's clock was set, until the histories' idea of it was right
     * again.
     */
    public CheckSettings withClockSetWithin(List<Window> windows) {
        return with(
                maxExpiries,
                maxIdleInterval,
                true,
                lossWindows,
                answersLast,
                List.copyOf(windows),
                clockTolerance,
                recovery);
    }

    public CheckSettings withClockTolerance(Duration tolerance) {
        return with(maxExpiries, maxIdleInterval, faults, lossWindows, answersLast, clockSets, tolerance, recovery);
    }

    private CheckSettings with(
            int newMaxExpiries,
            Duration newMaxIdleInterval,
            boolean newFaults,
            List<Window> newLossWindows,
            boolean newAnswersLast,
            List<Window> newClockSets,
            Duration newClockTolerance,
            boolean newRecovery) {
        return new CheckSettings(
                cell,
                maxAttempts,
                newMaxExpiries,
                lease,
                newMaxIdleInterval,
                newFaults,
                newLossWindows,
                newAnswersLast,
                newClockSets,
                newClockTolerance,
                newRecovery,
                settleAfter,
                onTime,
                brokerQueues,
                brokerStays,
                silentPercent,
                callsWithin,
                expiresAfter,
                window);
    }

    /**
     * The applications never lose RabbitMQ.
     *
     * @param percent of the tasks for it, by their ids, go to a queue that may be silent
     */
    public CheckSettings whereTheBrokerStays(int percent) {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                maxIdleInterval,
                faults,
                lossWindows,
                answersLast,
                clockSets,
                clockTolerance,
                recovery,
                settleAfter,
                onTime,
                brokerQueues,
                true,
                percent,
                callsWithin,
                expiresAfter,
                window);
    }

    /** Some attempts had to be on time, though there were faults. */
    public CheckSettings withOnTime(List<OnTime> promises) {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                maxIdleInterval,
                faults,
                lossWindows,
                answersLast,
                clockSets,
                clockTolerance,
                recovery,
                settleAfter,
                List.copyOf(promises),
                brokerQueues,
                brokerStays,
                silentPercent,
                callsWithin,
                expiresAfter,
                window);
    }

    /** Whether a task for RabbitMQ goes to a queue that answers all the time. */
    boolean isForAnsweringQueue(String id) {
        return !LoadApplication.goesToQuorumQueue(id, silentPercent);
    }

    /** Whether what callers were answered in this stretch may have been undone. */
    boolean mayBeUndone(Op op) {
        return !answersLast && mayBeUndone(op.begin(), op.end());
    }

    /** Whether what the store answered in this stretch may have been undone. */
    boolean mayBeUndone(long begin, long end) {
        return lossWindows.stream().anyMatch(window -> window.touches(begin, end));
    }

    /** Whether Redis times of this stretch are worth nothing. */
    boolean isClockSet(long begin, long end) {
        return clockSets.stream().anyMatch(window -> window.touches(begin, end));
    }

    /**
     * The attempts that could be made within a stretch of time, and how late they may have been.
     *
     * @param shards each as {@code queue:number}; none of them means all
     * @param window when they could be made
     * @param p99 how late all but a hundredth of them may have been
     */
    public record OnTime(Set<String> shards, Window window, Duration p99) {

        boolean isMeant(@Nullable String shard, long ready) {
            return window.touches(ready, ready) && (shards.isEmpty() || (shard != null && shards.contains(shard)));
        }
    }

    /**
     * A stretch of time in that of {@link io.delayqueue.faults.history.Entry#micros()}.
     *
     * @param from first microsecond
     * @param to last microsecond
     */
    public record Window(long from, long to) {

        boolean touches(long begin, long end) {
            return begin <= to && end >= from;
        }
    }
}
