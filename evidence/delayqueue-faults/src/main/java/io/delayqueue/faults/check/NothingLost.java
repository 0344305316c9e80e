// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.util.List;

/** {@link Rule#LOST}: every version that was certainly stored has a known end. */
record NothingLost(CheckSettings settings) {

    /** The fate of a version that was certainly stored. */
    enum Fate {
        DELIVERED,
        DEAD,
        /** It still exists. */
        LIVE,
        /** A caller ended or replaced it, or may have done so. */
        ENDED,
        /** Unknown, but within a window in which loss is allowed. */
        LOSS_ALLOWED,
        LOST
    }

    Fate fateOf(TaskHistory task, String version) {
        if (task.touchedOf(version).stream().anyMatch(Lease::isDelivered)) {
            return Fate.DELIVERED;
        }
        if (task.isDead(version)) {
            return Fate.DEAD;
        }
        if (task.isLive(version)) {
            return Fate.LIVE;
        }
        List<Op> stored = task.storing(version).stream().filter(Op::stored).toList();
        boolean ended = stored.stream().allMatch(op -> isEnded(task, op));
        if (ended) {
            return Fate.ENDED;
        }
        return stored.stream().anyMatch(op -> settings.mayBeUndone(op)) ? Fate.LOSS_ALLOWED : Fate.LOST;
    }

    /** Returns whether another call may have ended the stored or rescheduled task since then. */
    private static boolean isEnded(TaskHistory task, Op op) {
        return task.ops.stream().anyMatch(other -> other != op && other.end() > op.begin() && mayEnd(other, op));
    }

    private static boolean mayEnd(Op other, Op op) {
        return switch (other.invoked().verb()) {
            case CANCEL ->
                other.is("CANCELLED", "IN_FLIGHT", "DISCARDED_DEAD", Op.GONE, LastCommitWins.COMMITTED)
                        || other.isUnknown();
            case SCHEDULE ->
                !other.isOf(op.invoked().version())
                        && (other.is("REPLACED", "REPLACED_IN_FLIGHT", "REPLACED_DEAD", LastCommitWins.COMMITTED)
                                || other.isUnknown()
                                || other.is("CREATED") && other.begin() < op.end());
            case RESCHEDULE -> false;
        };
    }

    /** Returns whether a task was certainly rescheduled, to a sufficiently known time, and never seen again. */
    boolean isLostByReschedule(TaskHistory task, Op reschedule) {
        long tolerance = settings.clockTolerance().toMillis();
        return reschedule.isReschedule()
                && reschedule.is("RESCHEDULED", "IN_FLIGHT")
                && !settings.mayBeUndone(reschedule)
                && !settings.isClockSet(reschedule.begin(), reschedule.end())
                && task.dead.isEmpty()
                && task.live.isEmpty()
                && !isEnded(task, reschedule)
                && task.ops.stream()
                        .noneMatch(other ->
                                other != reschedule && other.mayHaveRescheduled() && other.end() > reschedule.begin())
                && task.leases.stream()
                        .noneMatch(lease -> lease.isDelivered()
                                && lease.at() >= reschedule.begin()
                                && reschedule.mayBeDueAt(lease.dueMillis(), tolerance));
    }
}
