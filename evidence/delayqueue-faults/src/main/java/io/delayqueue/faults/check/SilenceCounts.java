// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Ending;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@link Rule#UNCOUNTED}: an attempt that an available broker does not answer is a failed attempt, except one per task.
 */
record SilenceCounts(CheckSettings settings) implements TaskRule {

    private static final String NO_CONFIRM = "timed out: no confirm within";

    @Override
    public List<Finding> judge(TaskHistory task) {
        if (!settings.brokerStays() || !settings.brokerQueues().contains(task.queue)) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        Set<Long> excused = new HashSet<>();
        for (int i = 1; i < task.leases.size(); i++) {
            Lease one = task.leases.get(i - 1);
            Lease next = task.leases.get(i);
            if (one.dueMillis() == next.dueMillis()
                    && endedWithoutAnswer(one)
                    && !isCounted(one, next)
                    && !excused.add(one.dueMillis())) {
                findings.add(task.finding(
                        Rule.UNCOUNTED,
                        "a second attempt without an answer was not counted as failed",
                        List.of(),
                        List.of(one, next)));
            }
        }
        for (FinalState.Dead dead : task.dead) {
            if (!dead.reason().startsWith(NO_CONFIRM)) {
                findings.add(task.finding(
                        Rule.UNCOUNTED, "dead for another reason: " + dead.reason(), task.ops, task.leases));
            }
        }
        return findings;
    }

    private static boolean endedWithoutAnswer(Lease lease) {
        return lease.settlements.stream()
                .anyMatch(settlement -> settlement.isAccepted()
                        && settlement.settling().ending() == Ending.RETRY
                        && settlement.settling().uncertain());
    }

    private static boolean isCounted(Lease one, Lease next) {
        Event.Acquired before = one.acquired();
        Event.Acquired after = next.acquired();
        return before == null || after == null || after.failures() > before.failures();
    }
}
