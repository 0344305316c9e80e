// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link Rule#TOKEN_ORDER} and {@link Rule#FENCED}: a table that accepts only fencing tokens higher than the last one
 * refuses no later delivery. A delivery is later if it was requested after the other one had arrived.
 */
record TokensGrow(CheckSettings settings) implements TaskRule {

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (Lease later : task.leases) {
            for (Lease earlier : task.leases) {
                if (isSeen(earlier) && isSeen(later) && earlier.at() < later.from() && !mayBeForgotten(earlier)) {
                    judge(task, earlier, later, findings);
                }
            }
        }
        return findings;
    }

    private static void judge(TaskHistory task, Lease earlier, Lease later, List<Finding> findings) {
        if (later.token() <= earlier.token()) {
            findings.add(task.finding(
                    Rule.TOKEN_ORDER,
                    "a delivery has token " + later.token() + " after an earlier one had " + earlier.token(),
                    List.of(),
                    List.of(earlier, later)));
        }
        later.fencings.stream()
                .map(entry -> ((Event.Fenced) entry.event()).refusedBy())
                .filter(refusedBy -> refusedBy != null && refusedBy == earlier.token())
                .findFirst()
                .ifPresent(refusedBy -> findings.add(task.finding(
                        Rule.FENCED,
                        "a write with token " + later.token() + " was refused because of " + refusedBy
                                + " of an earlier delivery",
                        List.of(),
                        List.of(earlier, later))));
    }

    private static boolean isSeen(Lease lease) {
        Event.Acquired acquired = lease.acquired();
        return acquired != null && acquired.shard() >= 0;
    }

    /**
     * Returns whether a failover may have undone the token. If the clock was not set, the next tokens are higher
     * nevertheless.
     */
    private boolean mayBeForgotten(Lease earlier) {
        return !settings.clockSets().isEmpty() && settings.mayBeUndone(earlier.from(), earlier.at());
    }
}
