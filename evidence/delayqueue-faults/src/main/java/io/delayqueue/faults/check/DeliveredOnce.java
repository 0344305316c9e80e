// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Ending;
import java.util.List;

/** {@link Rule#DUPLICATE}: the history of the first delivery explains each second delivery. */
record DeliveredOnce(CheckSettings settings) {

    /** Adds duplicates without a cause to the findings, and returns the number of duplicates with a cause. */
    int judge(TaskHistory task, List<Finding> findings) {
        int explained = 0;
        for (String version : versionsDelivered(task)) {
            List<Lease> leases = task.touchedOf(version);
            for (int i = 0; i < leases.size(); i++) {
                explained += withinLease(task, leases.get(i), findings);
                if (i > 0 && isDuplicate(leases.get(i - 1), leases.get(i))) {
                    if (settings.faults() && hasCause(task, version, leases.get(i - 1), leases.get(i))) {
                        explained++;
                    } else {
                        findings.add(task.finding(
                                Rule.DUPLICATE,
                                "version " + version + " was delivered again without a cause",
                                task.ops,
                                leases.subList(i - 1, i + 1)));
                    }
                }
            }
        }
        return explained;
    }

    private static List<String> versionsDelivered(TaskHistory task) {
        return task.leases.stream()
                .map(Lease::version)
                .filter(version -> version != null)
                .distinct()
                .toList();
    }

    /**
     * Counts explained duplicates. A message may arrive twice under one lease only if the broker marks it as
     * redelivered.
     */
    private int withinLease(TaskHistory task, Lease lease, List<Finding> findings) {
        int explained = 0;
        List<Entry> deliveries = lease.deliveries();
        for (int i = 1; i < deliveries.size(); i++) {
            if (settings.faults()
                    && deliveries.get(i).event() instanceof Event.Arrived arrived
                    && arrived.redelivered()) {
                explained++;
            } else {
                findings.add(
                        task.finding(Rule.DUPLICATE, "delivered twice under one lease", List.of(), List.of(lease)));
            }
        }
        return explained;
    }

    /** Returns whether nothing explains a second delivery: no certain failure, and no other due time. */
    private static boolean isDuplicate(Lease one, Lease next) {
        return one.dueMillis() == next.dueMillis() && !one.failedBefore(next.at());
    }

    private boolean hasCause(TaskHistory task, String version, Lease one, Lease next) {
        return settings.mayBeUndone(one.from(), next.at())
                || isUncertain(one, next)
                || hasRunOut(one, next)
                || mayHaveBeenStoredAgain(task, version, one, next)
                || mayBeCopyOfAMigration(task, version, one, next);
    }

    /** Returns whether the first delivery was reported as uncertain or as interrupted by a stop. */
    private static boolean isUncertain(Lease one, Lease next) {
        return one.settlements.stream()
                .anyMatch(settlement -> settlement.settling().ending() != Ending.ACK
                        && settlement.settling().uncertain()
                        && settlement.sent().micros() < next.at());
    }

    /**
     * Returns whether the first lease expired, by the server's clock, before its holder ended it. Compares milliseconds,
     * as the scripts do.
     */
    private boolean hasRunOut(Lease one, Lease next) {
        Event.Acquired first = one.acquired();
        Event.Acquired second = next.acquired();
        boolean ended = one.settlements.stream()
                .anyMatch(settlement -> settlement.isAccepted() && settlement.end() < next.from());
        return first != null
                && second != null
                && !ended
                && second.redisMicros() / 1000 >= first.redisMicros() / 1000 + first.leaseMillis();
    }

    /**
     * Returns whether the application, or a retry within a call, may have sent the request again after the task was
     * delivered. Such a call was not over when the task was first acquired.
     */
    private static boolean mayHaveBeenStoredAgain(TaskHistory task, String version, Lease one, Lease next) {
        return task.storing(version).stream().anyMatch(op -> op.end() > one.from() && op.begin() < next.at());
    }

    /**
     * Returns whether two shards may have had the task because of a failover between the two writes of a migration: the
     * new master has only the first write, or the process got no reply and its hold ended.
     */
    private boolean mayBeCopyOfAMigration(TaskHistory task, String version, Lease one, Lease next) {
        Event.Acquired first = one.acquired();
        Event.Acquired second = next.acquired();
        return first != null
                && second != null
                && first.shard() != second.shard()
                && task.storing(version).stream().anyMatch(op -> settings.mayBeUndone(op.begin(), next.at()));
    }
}
