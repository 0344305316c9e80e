// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.load.LoadApplication;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
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

    /** Returns a run without faults, in which nothing may be lost, and nothing is said about lateness. */
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
        return with(builder -> builder.callsWithin = limit);
    }

    /** Tasks are not delivered later than so long after their due time, and only in these hours. */
    public CheckSettings withTiming(@Nullable Duration longest, @Nullable String hours) {
        return with(builder -> {
            builder.expiresAfter = longest;
            builder.window = hours;
        });
    }

    public CheckSettings withFaults() {
        return with(builder -> builder.faults = true);
    }

    public CheckSettings withMaxExpiries(int newMaxExpiries) {
        return with(builder -> builder.maxExpiries = newMaxExpiries);
    }

    /** Judges lateness, for triggers with this idle interval. */
    public CheckSettings withRecovery(Duration newMaxIdleInterval) {
        return with(builder -> {
            builder.maxIdleInterval = newMaxIdleInterval;
            builder.recovery = true;
        });
    }

    /** With faults, and windows in which loss is allowed, as a failover without WAIT states them. */
    public CheckSettings withLossWithin(List<Window> windows) {
        return with(builder -> {
            builder.faults = true;
            builder.lossWindows = List.copyOf(windows);
        });
    }

    /** Callers asked for replicas: what they were answered outlives a failover. */
    public CheckSettings withAnswersThatLast() {
        return with(builder -> builder.answersLast = true);
    }

    /**
     * With faults, and windows in which the Redis server's clock was set, until the histories' idea of it was right
     * again.
     */
    public CheckSettings withClockSetWithin(List<Window> windows) {
        return with(builder -> {
            builder.faults = true;
            builder.clockSets = List.copyOf(windows);
        });
    }

    public CheckSettings withClockTolerance(Duration tolerance) {
        return with(builder -> builder.clockTolerance = tolerance);
    }

    /**
     * Returns these settings for a run in which the applications never lose RabbitMQ.
     *
     * @param percent of the tasks for it, by their ids, go to a queue that may be silent
     */
    public CheckSettings whereTheBrokerStays(int percent) {
        return with(builder -> {
            builder.brokerStays = true;
            builder.silentPercent = percent;
        });
    }

    /** Returns these settings with attempts that had to be on time, though there were faults. */
    public CheckSettings withOnTime(List<OnTime> promises) {
        return with(builder -> builder.onTime = List.copyOf(promises));
    }

    private CheckSettings with(Consumer<Builder> change) {
        Builder builder = new Builder(this);
        change.accept(builder);
        return builder.build(this);
    }

    /** Returns whether a task for RabbitMQ goes to a queue that answers all the time. */
    boolean isForAnsweringQueue(String id) {
        return !LoadApplication.goesToQuorumQueue(id, silentPercent);
    }

    /** Returns whether what callers were answered in this stretch may have been undone. */
    boolean mayBeUndone(Op op) {
        return !answersLast && mayBeUndone(op.begin(), op.end());
    }

    /** Returns whether what the store answered in this stretch may have been undone. */
    boolean mayBeUndone(long begin, long end) {
        return lossWindows.stream().anyMatch(window -> window.touches(begin, end));
    }

    /** Returns whether Redis times of this stretch are worth nothing. */
    boolean isClockSet(long begin, long end) {
        return clockSets.stream().anyMatch(window -> window.touches(begin, end));
    }

    /** What may differ from the run without faults. */
    private static final class Builder {

        private int maxExpiries;
        private Duration maxIdleInterval;
        private boolean faults;
        private List<Window> lossWindows;
        private boolean answersLast;
        private List<Window> clockSets;
        private Duration clockTolerance;
        private boolean recovery;
        private List<OnTime> onTime;
        private boolean brokerStays;
        private int silentPercent;
        private Duration callsWithin;
        private @Nullable Duration expiresAfter;
        private @Nullable String window;

        private Builder(CheckSettings settings) {
            this.maxExpiries = settings.maxExpiries;
            this.maxIdleInterval = settings.maxIdleInterval;
            this.faults = settings.faults;
            this.lossWindows = settings.lossWindows;
            this.answersLast = settings.answersLast;
            this.clockSets = settings.clockSets;
            this.clockTolerance = settings.clockTolerance;
            this.recovery = settings.recovery;
            this.onTime = settings.onTime;
            this.brokerStays = settings.brokerStays;
            this.silentPercent = settings.silentPercent;
            this.callsWithin = settings.callsWithin;
            this.expiresAfter = settings.expiresAfter;
            this.window = settings.window;
        }

        private CheckSettings build(CheckSettings settings) {
            return new CheckSettings(
                    settings.cell,
                    settings.maxAttempts,
                    maxExpiries,
                    settings.lease,
                    maxIdleInterval,
                    faults,
                    lossWindows,
                    answersLast,
                    clockSets,
                    clockTolerance,
                    recovery,
                    settings.settleAfter,
                    onTime,
                    settings.brokerQueues,
                    brokerStays,
                    silentPercent,
                    callsWithin,
                    expiresAfter,
                    window);
        }
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
