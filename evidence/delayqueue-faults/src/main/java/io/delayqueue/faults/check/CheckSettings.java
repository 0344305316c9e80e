// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.internal.queue.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The properties of a run on which the rules depend.
 *
 * @param cell its name
 * @param maxAttempts attempts after which a task is dead
 * @param maxExpiries lease expiries after which a task is dead
 * @param lease lease of the queues
 * @param maxIdleInterval interval of the triggers
 * @param faults whether faults were injected; without faults there is no excuse for a duplicate
 * @param lossWindows times when a failover may have undone confirmed changes, or issued tokens twice; empty if nothing
 *     may be lost
 * @param answersLast whether loss windows excuse only losses of leases, because callers required replicas
 * @param clockSets times when the Redis server's clock may have been set, so that the Redis times in the histories are
 *     unreliable
 * @param clockTolerance maximum error of the Redis times in the histories
 * @param recovery whether deliveries must be on time after the last fault: tasks that were due by then are attempted
 *     within one lease and two idle intervals, and from {@code settleAfter} on the p99 of all attempts is less than a
 *     second
 * @param settleAfter see {@code recovery}
 * @param onTime times when attempts had to be on time in any case; judged together with {@code recovery}
 * @param brokerQueues queues whose tasks go to RabbitMQ; handlers receive the tasks of all other queues
 * @param brokerStays whether RabbitMQ stays available, so that attempts without an answer must count
 * @param silentPercent percentage of the tasks for RabbitMQ, chosen by their ids, whose queue may be silent; the queue
 *     of the other tasks answers
 * @param callsWithin maximum duration of each call of an application
 * @param expiresAfter how long tasks may be overdue when they are delivered; null for any time
 * @param window delivery hours of tasks, as text; null for any
 * @param keyRate rate of the tasks of each key in a handler; null for any
 * @param keyConcurrency maximum number of deliveries of a key in progress in a handler; 0 for any
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
        @Nullable String window,
        @Nullable Rate keyRate,
        int keyConcurrency) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    /** No limit for calls. */
    private static final Duration ANY_TIME = Duration.ofDays(1);

    /** Returns settings for a run without faults. Nothing may be lost, and lateness is not judged. */
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
                null,
                null,
                0);
    }

    /** Returns these settings with a limit for the duration of the applications' calls. */
    public CheckSettings withCallsWithin(Duration limit) {
        return with("callsWithin", limit);
    }

    /** Returns these settings with a limit for how late tasks are delivered, and with delivery hours. */
    public CheckSettings withTiming(@Nullable Duration longest, @Nullable String hours) {
        return with("expiresAfter", longest).with("window", hours);
    }

    /** Returns these settings with limits of keys. */
    public CheckSettings withKeyLimits(@Nullable Rate rate, int concurrency) {
        return with("keyRate", rate).with("keyConcurrency", concurrency);
    }

    public CheckSettings withFaults() {
        return with("faults", true);
    }

    public CheckSettings withMaxExpiries(int newMaxExpiries) {
        return with("maxExpiries", newMaxExpiries);
    }

    /** Returns these settings with a judgement of lateness, for triggers with this idle interval. */
    public CheckSettings withRecovery(Duration newMaxIdleInterval) {
        return with("maxIdleInterval", newMaxIdleInterval).with("recovery", true);
    }

    /**
     * Returns these settings with faults, and with windows in which loss is allowed, as a failover without WAIT states
     * them.
     */
    public CheckSettings withLossWithin(List<Window> windows) {
        return with("faults", true).with("lossWindows", List.copyOf(windows));
    }

    /** Returns these settings for callers that require replicas: confirmed changes survive a failover. */
    public CheckSettings withAnswersThatLast() {
        return with("answersLast", true);
    }

    /**
     * Returns these settings with faults, and with windows in which the Redis server's clock was set, until the
     * processes knew the new time.
     */
    public CheckSettings withClockSetWithin(List<Window> windows) {
        return with("faults", true).with("clockSets", List.copyOf(windows));
    }

    /**
     * Returns these settings for a run in which RabbitMQ stays available.
     *
     * @param percent percentage of its tasks, chosen by their ids, whose queue may be silent
     */
    public CheckSettings whereTheBrokerStays(int percent) {
        return with("brokerStays", true).with("silentPercent", percent);
    }

    /** Returns these settings with attempts that had to be on time, though there were faults. */
    public CheckSettings withOnTime(List<OnTime> promises) {
        return with("onTime", List.copyOf(promises));
    }

    /** Returns these settings with another value of a component. */
    private CheckSettings with(String component, @Nullable Object value) {
        ObjectNode settings = JSON.valueToTree(this);
        settings.set(component, JSON.valueToTree(value));
        return JSON.treeToValue(settings, CheckSettings.class);
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
