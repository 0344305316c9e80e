// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.util.List;

/**
 * {@link Rule#COMMIT_ORDER}: of the calls for an id that were committed in transactions, the last one takes effect. The
 * calls for an id were made one after the other; the histories contain the commits only at the end. An id is exempt if
 * one of its calls has an unknown answer, or if a failover may have undone the last call.
 */
record LastCommitWins(CheckSettings settings) implements TaskRule {

    /** The outcome of a call that was committed and executed at some time before its answer. */
    static final String COMMITTED = "COMMITTED";

    /** Returns whether the task has committed calls but cannot be judged. */
    boolean isExempt(TaskHistory task) {
        List<Op> committed = committed(task);
        return !committed.isEmpty()
                && (task.ops.stream().anyMatch(Op::isUnknown)
                        || settings.mayBeUndone(committed.get(committed.size() - 1)));
    }

    private static List<Op> committed(TaskHistory task) {
        return task.ops.stream().filter(op -> op.is(COMMITTED)).toList();
    }

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Op> committed = committed(task);
        if (committed.isEmpty() || isExempt(task)) {
            return List.of();
        }
        Op last = committed.get(committed.size() - 1);
        String wrong = null;
        if (last.isSchedule()) {
            wrong = wasForgotten(task, last) ? "the last committed call stored it, and it was never seen" : null;
        } else {
            wrong = task.leases.stream().anyMatch(lease -> contradicts(task, lease, last))
                    ? "acquired after the outbox was empty although the last committed call was a "
                            + last.invoked().verb()
                    : null;
        }
        return wrong == null ? List.of() : List.of(task.finding(Rule.COMMIT_ORDER, wrong, task.ops, task.leases));
    }

    private static boolean wasForgotten(TaskHistory task, Op last) {
        String version = String.valueOf(last.invoked().version());
        return task.touchedOf(version).stream().noneMatch(Lease::isDelivered)
                && !task.isDead(version)
                && !task.isLive(version);
    }

    /**
     * Returns whether the delivery contradicts the last commit; a task that had failed before may continue as if there
     * had been no call.
     */
    private boolean contradicts(TaskHistory task, Lease lease, Op last) {
        boolean first = task.leases.stream().allMatch(other -> other == lease || other.from() > lease.at());
        boolean late = first && lease.isTouched() && lease.from() > last.end();
        return late
                && (!last.isReschedule()
                        || !last.mayBeDueAt(
                                lease.dueMillis(), settings.clockTolerance().toMillis()));
    }
}
