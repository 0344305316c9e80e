// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Ending;
import java.util.List;

/**
 * A stretch of time in which a task may have waited for its first attempt, as one call has stored or rescheduled it. As wide as
 * it can be; times are the Redis server's, in microseconds.
 *
 * @param op the call
 * @param from no later than it waited
 * @param until when it waited no more for sure; {@link Long#MAX_VALUE} if that is not known
 * @param dueFrom the due time, as early as it can be
 * @param dueTo the due time, as late as it can be
 */
record Stay(Op op, long from, long until, long dueFrom, long dueTo) {

    /** Those of a task. */
    static List<Stay> of(TaskHistory task, long toleranceMillis) {
        return task.ops.stream()
                .filter(op -> op.mayHaveStored() || op.mayHaveRescheduled() || op.mayHaveRescheduledUnseen())
                .map(op -> of(task, op, toleranceMillis))
                .toList();
    }

    private static Stay of(TaskHistory task, Op op, long toleranceMillis) {
        Long from = op.invoked().redisMicros();
        Long due = (op.answer() != null) ? op.answer().dueMillis() : null;
        long earliest = op.earliestDue(toleranceMillis);
        long latest = (due != null) ? due : op.latestDue(toleranceMillis);
        return new Stay(
                op,
                (from != null) ? from : Long.MIN_VALUE,
                until(task, op),
                micros((due != null && op.invoked().delayMillis() == null) ? due : Math.min(earliest, latest)),
                micros(latest));
    }

    private static long micros(long millis) {
        return (millis == Long.MIN_VALUE || millis == Long.MAX_VALUE) ? millis : millis * 1000;
    }

    private static long until(TaskHistory task, Op op) {
        long stored = endOf(op);
        long until = Long.MAX_VALUE;
        if (stored == Long.MAX_VALUE) {
            return until;
        }
        for (Lease lease : task.leases) {
            Event.Acquired acquired = lease.acquired();
            if (acquired != null && acquired.redisMicros() > stored && isAttempt(lease)) {
                until = Math.min(until, acquired.redisMicros());
            }
        }
        for (Op other : task.ops) {
            Long begin = other.invoked().redisMicros();
            boolean ends = other.stored() || other.is("CANCELLED", "RESCHEDULED", Op.GONE);
            if (other != op && ends && begin != null && begin > stored) {
                until = Math.min(until, endOf(other));
            }
        }
        return task.drops.stream()
                .mapToLong(drop -> ((Event.Dropped) drop.event()).redisMicros())
                .filter(dropped -> dropped > stored)
                .reduce(until, Math::min);
    }

    /** When a call had taken effect for sure. */
    private static long endOf(Op op) {
        return (op.isOk() && op.answer() != null && op.answer().redisMicros() != null)
                ? op.answer().redisMicros()
                : Long.MAX_VALUE;
    }

    /** What was given back may wait for its first attempt again. */
    private static boolean isAttempt(Lease lease) {
        return lease.isTouched()
                && lease.settlements.stream()
                        .map(settlement -> settlement.settling().ending())
                        .noneMatch(ending -> ending == Ending.RELEASE || ending == Ending.AGAIN);
    }
}
