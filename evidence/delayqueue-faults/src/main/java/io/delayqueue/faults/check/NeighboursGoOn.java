// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@link Rule#BLAMED}: a silent queue of the broker does not make tasks for an answering queue fail.
 *
 * <p>The broker may hold a message until its nodes are back. This is judged by the next attempt, which arrives sooner. No
 * next attempt follows if the task was cancelled or replaced in the meantime, so that the report of the unanswered one
 * was refused.
 */
record NeighboursGoOn(CheckSettings settings) implements TaskRule {

    /**
     * The time of an attempt that waits 2 s for confirms together with messages for silent queues, of a separate
     * attempt, and of the pauses in between.
     */
    private static final Duration HELD_UP = Duration.ofSeconds(10);

    @Override
    public List<Finding> judge(TaskHistory task) {
        if (!settings.brokerQueues().contains(task.queue) || !settings.isForAnsweringQueue(task.id)) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        for (FinalState.Dead dead : task.dead) {
            findings.add(
                    task.finding(Rule.BLAMED, "dead beside a silent queue: " + dead.reason(), task.ops, task.leases));
        }
        Map<Long, Long> firstArrivals = new HashMap<>();
        for (Lease lease : task.leases) {
            Event.Acquired acquired = lease.acquired();
            if (acquired != null && acquired.failures() > 0) {
                findings.add(task.finding(
                        Rule.BLAMED, "an attempt was counted beside a silent queue", List.of(), List.of(lease)));
            }
            for (Entry arrival : lease.arrivals) {
                Long late = DeliveredAsAsked.latenessMicros(arrival);
                if (late != null && !(isTooLate(late) && lease.wasRefused())) {
                    firstArrivals.merge(lease.dueMillis(), late, Math::min);
                }
            }
        }
        firstArrivals.values().stream()
                .filter(late -> settings.recovery() && isTooLate(late))
                .forEach(late -> findings.add(task.finding(
                        Rule.BLAMED,
                        "arrived " + late / 1000 + " ms late beside a silent queue",
                        task.ops,
                        task.leases)));
        return findings;
    }

    private static boolean isTooLate(long micros) {
        return micros > HELD_UP.toMillis() * 1000;
    }
}
