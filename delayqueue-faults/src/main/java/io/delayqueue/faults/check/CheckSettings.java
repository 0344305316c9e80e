// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What the run was, as far as the rules depend on it.
 *
 * @param cell its name
 * @param maxAttempts attempts after which a task is dead
 * @param maxExpiries leases that may run out before a task is dead
 * @param lease of the queues
 * @param backStop of the triggers
 * @param faults whether faults were injected; without them there is no excuse for a duplicate
 * @param lossWindows when a failover may have undone what was answered, or given out tokens twice; empty where nothing may be lost
 * @param clockTolerance how far the histories' Redis times may be off
 * @param recovery whether deliveries must be on time after the last fault: again within one lease and two back-stops, and with a p99
 *     of less than a second from {@code settleAfter} on
 * @param settleAfter see there
 * @param brokerQueues queues whose tasks go to RabbitMQ; the deliveries of all others are those of handlers
 */
public record CheckSettings(
        String cell,
        int maxAttempts,
        int maxExpiries,
        Duration lease,
        Duration backStop,
        boolean faults,
        List<Window> lossWindows,
        Duration clockTolerance,
        boolean recovery,
        Duration settleAfter,
        Set<String> brokerQueues) {

    /** Settings as those of the queues that are named here have them by default, for a run without faults and loss. */
    public static CheckSettings of(String cell, int maxAttempts, Duration lease, Set<String> brokerQueues) {
        return new CheckSettings(
                cell,
                maxAttempts,
                5,
                lease,
                Duration.ofSeconds(5),
                false,
                List.of(),
                Duration.ofMillis(5),
                false,
                Duration.ofSeconds(30),
                Set.copyOf(brokerQueues));
    }

    public CheckSettings withFaults() {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                backStop,
                true,
                lossWindows,
                clockTolerance,
                recovery,
                settleAfter,
                brokerQueues);
    }

    public CheckSettings withRecovery(Duration newBackStop) {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                newBackStop,
                faults,
                lossWindows,
                clockTolerance,
                true,
                settleAfter,
                brokerQueues);
    }

    public CheckSettings withMaxExpiries(int newMaxExpiries) {
        return new CheckSettings(
                cell,
                maxAttempts,
                newMaxExpiries,
                lease,
                backStop,
                faults,
                lossWindows,
                clockTolerance,
                recovery,
                settleAfter,
                brokerQueues);
    }

    /** Windows in which loss is allowed, as a failover without WAIT states them. */
    public CheckSettings withLossWithin(List<Window> windows) {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                backStop,
                true,
                List.copyOf(windows),
                clockTolerance,
                recovery,
                settleAfter,
                brokerQueues);
    }

    public CheckSettings withClockTolerance(Duration tolerance) {
        return new CheckSettings(
                cell,
                maxAttempts,
                maxExpiries,
                lease,
                backStop,
                faults,
                lossWindows,
                tolerance,
                recovery,
                settleAfter,
                brokerQueues);
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
