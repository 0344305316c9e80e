// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.internal.queue.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The properties of a run that the rules need. Each {@code with} method returns a changed copy. */
public final class CheckSettings implements Cloneable {

    final String cell;
    /** Maximum number of attempts; the task is then dead. */
    final int maxAttempts;
    /** Lease of the queues. */
    final Duration lease;
    /** From this time after the last fault on, the p99 of all attempts is less than a second, see {@link #recovery}. */
    final Duration settleAfter = Duration.ofSeconds(30);
    /** Queues whose tasks go to RabbitMQ; handlers receive the tasks of all other queues. */
    final Set<String> brokerQueues;
    /** Maximum error of the Redis times in the histories. */
    final Duration clockTolerance = Duration.ofMillis(5);
    /** Maximum number of lease expiries; the task is then dead. */
    int maxExpiries = 5;
    /** Interval of the triggers. */
    Duration maxIdleInterval = Duration.ofSeconds(5);
    /** Whether faults were injected; without faults there is no excuse for a duplicate. */
    boolean faults;
    /** Whether tasks that were due by the last fault must be attempted within a lease and two idle intervals. */
    boolean recovery;
    /** Times when attempts had to be on time in any case; judged together with {@link #recovery}. */
    List<OnTime> onTime = List.of();
    /** Maximum duration of each call of an application. */
    Duration callsWithin = Duration.ofDays(1);
    /** How long tasks may be overdue when they are delivered; null for any time. */
    @Nullable
    Duration expiresAfter;
    /** Delivery hours of tasks, as text; null for any. */
    @Nullable
    String window;
    /** Rate of the tasks of each key in a handler; null for any. */
    @Nullable
    Rate keyRate;
    /** Maximum number of deliveries of a key in progress in a handler; 0 for any. */
    int keyConcurrency;
    /** Whether RabbitMQ stays available, so that attempts without an answer must count. */
    boolean brokerStays;
    /** Times when the Redis server's clock may have been set, so that Redis times in the histories are unreliable. */
    List<Window> clockSets = List.of();
    /** Percentage of the tasks for RabbitMQ, chosen by their ids, whose queue may be silent; other queues answer. */
    private int silentPercent = 100;
    /** Times when a failover may have undone confirmed changes, or issued tokens twice. */
    private List<Window> lossWindows = List.of();
    /** Whether loss windows excuse only losses of leases, because callers required replicas. */
    private boolean answersLast;

    /** Creates settings for a run without faults. Nothing may be lost, and lateness is not judged. */
    public CheckSettings(String cell, int maxAttempts, Duration lease, Set<String> brokerQueues) {
        this.cell = cell;
        this.maxAttempts = maxAttempts;
        this.lease = lease;
        this.brokerQueues = Set.copyOf(brokerQueues);
    }

    /** Returns these settings with a limit for the duration of the applications' calls. */
    public CheckSettings withCallsWithin(Duration limit) {
        return with(copy -> copy.callsWithin = limit);
    }

    /** Returns these settings with a limit for how late tasks are delivered, and with delivery hours. */
    public CheckSettings withTiming(@Nullable Duration longest, @Nullable String hours) {
        return with(copy -> {
            copy.expiresAfter = longest;
            copy.window = hours;
        });
    }

    /** Returns these settings with limits of keys. */
    public CheckSettings withKeyLimits(@Nullable Rate rate, int concurrency) {
        return with(copy -> {
            copy.keyRate = rate;
            copy.keyConcurrency = concurrency;
        });
    }

    public CheckSettings withFaults() {
        return with(copy -> copy.faults = true);
    }

    public CheckSettings withMaxExpiries(int newMaxExpiries) {
        return with(copy -> copy.maxExpiries = newMaxExpiries);
    }

    /** Returns these settings with a judgement of lateness, for triggers with this idle interval. */
    public CheckSettings withRecovery(Duration newMaxIdleInterval) {
        return with(copy -> {
            copy.maxIdleInterval = newMaxIdleInterval;
            copy.recovery = true;
        });
    }

    /** Returns these settings with faults, and with windows when loss is allowed, such as a failover without WAIT. */
    public CheckSettings withLossWithin(List<Window> windows) {
        return with(copy -> {
            copy.faults = true;
            copy.lossWindows = List.copyOf(windows);
        });
    }

    /** Returns these settings for callers that require replicas: confirmed changes survive a failover. */
    public CheckSettings withAnswersThatLast() {
        return with(copy -> copy.answersLast = true);
    }

    /**
     * Returns these settings with faults, and with windows when the Redis server's clock was set. A window ends
     * when the processes have read the new time.
     */
    public CheckSettings withClockSetWithin(List<Window> windows) {
        return with(copy -> {
            copy.faults = true;
            copy.clockSets = List.copyOf(windows);
        });
    }

    /**
     * Returns these settings for a run where RabbitMQ stays available.
     *
     * @param percent percentage of its tasks, chosen by their ids, whose queue may be silent
     */
    public CheckSettings whereTheBrokerStays(int percent) {
        return with(copy -> {
            copy.brokerStays = true;
            copy.silentPercent = percent;
        });
    }

    /** Returns these settings with attempts that had to be on time, though there were faults. */
    public CheckSettings withOnTime(List<OnTime> promises) {
        return with(copy -> copy.onTime = List.copyOf(promises));
    }

    private CheckSettings with(Consumer<CheckSettings> change) {
        try {
            CheckSettings copy = (CheckSettings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns whether a task for RabbitMQ goes to a queue that answers all the time. */
    boolean isForAnsweringQueue(String id) {
        return !LoadApplication.goesToQuorumQueue(id, silentPercent);
    }

    /** Returns whether changes that callers saw confirmed in this period may have been undone. */
    boolean mayBeUndone(Op op) {
        return !answersLast && mayBeUndone(op.begin(), op.end());
    }

    /** Returns whether changes that the store confirmed in this period may have been undone. */
    boolean mayBeUndone(long begin, long end) {
        return lossWindows.stream().anyMatch(window -> window.touches(begin, end));
    }

    /** Returns whether Redis times of this period are unreliable. */
    boolean isClockSet(long begin, long end) {
        return clockSets.stream().anyMatch(window -> window.touches(begin, end));
    }

    /**
     * A promise for the attempts that could be made within a period: how late they may have been.
     *
     * @param shards the shards, each as {@code queue:number}; empty for all
     * @param window the time when they could be made
     * @param p99 maximum lateness of all but a hundredth of them
     */
    public record OnTime(Set<String> shards, Window window, Duration p99) {

        boolean isMeant(@Nullable String shard, long ready) {
            return window.touches(ready, ready) && (shards.isEmpty() || (shard != null && shards.contains(shard)));
        }
    }

    /**
     * A period in the time of {@link io.delayqueue.faults.history.Entry#micros()}.
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
