// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link Rule#STALE_SETTLE}: if a process ends a lease that it has lost to another process or to a caller, nothing
 * changes.
 */
record LeasesEndOnce(CheckSettings settings) implements TaskRule {

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (Lease lease : task.leases) {
            for (Lease.Settlement settlement : lease.settlements) {
                if (settlement.isAccepted() && !settings.mayBeUndone(lease.from(), settlement.end())) {
                    judge(task, lease, settlement, findings);
                }
            }
        }
        return findings;
    }

    /**
     * Judges the end of a lease. Changes that a failover has undone ended no lease, and their tokens are issued again.
     */
    private void judge(TaskHistory task, Lease lease, Lease.Settlement settlement, List<Finding> findings) {
        long sent = settlement.sent().micros();
        for (Lease other : task.leases) {
            if (other.token() > lease.token()
                    && isOfSameShard(lease, other)
                    && other.at() < sent
                    && !settings.mayBeUndone(other.from(), other.at())) {
                findings.add(task.finding(
                        Rule.STALE_SETTLE,
                        "a lease was ended by its former holder, with token " + lease.token() + " after token "
                                + other.token() + " was given out",
                        List.of(),
                        List.of(lease, other)));
                return;
            }
        }
        for (Op op : task.ops) {
            if (endsLease(op)
                    && !isRepeated(task, op, lease)
                    && op.begin() > lease.at()
                    && op.end() < sent
                    && !settings.mayBeUndone(op)) {
                findings.add(task.finding(
                        Rule.STALE_SETTLE,
                        "a lease was ended after " + op.invoked().verb() + " had ended it",
                        List.of(op),
                        List.of(lease)));
                return;
            }
        }
    }

    private static boolean endsLease(Op op) {
        return op.stored() || op.is("CANCELLED", "IN_FLIGHT", "DISCARDED_DEAD", "RESCHEDULED", Op.GONE);
    }

    /**
     * Returns whether the request was made again when its task was already there. Such a request changes nothing and
     * gets the first reply again.
     */
    private static boolean isRepeated(TaskHistory task, Op op, Lease lease) {
        String version = op.invoked().version();
        boolean isAnother = lease.version() != null && !op.isOf(lease.version());
        return version != null
                && !isAnother
                && task.storing(version).stream().anyMatch(before -> before.begin() < lease.at());
    }

    private static boolean isOfSameShard(Lease one, Lease other) {
        Event.@Nullable Acquired first = one.acquired();
        Event.@Nullable Acquired second = other.acquired();
        return first != null && second != null && first.shard() == second.shard();
    }
}
