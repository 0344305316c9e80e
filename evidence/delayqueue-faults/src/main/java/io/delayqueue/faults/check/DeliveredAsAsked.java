// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Rule#UNEXPECTED} and {@link Rule#EARLY}: each delivery was requested, and not for a later time. */
record DeliveredAsAsked(CheckSettings settings) implements TaskRule {

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (Lease lease : task.leases) {
            if (lease.isTouched()) {
                unexpected(task, lease, findings);
                early(task, lease, findings);
            }
        }
        for (FinalState.Dead dead : task.dead) {
            if (dead.version() != null && task.storing(dead.version()).isEmpty()) {
                findings.add(task.finding(
                        Rule.UNEXPECTED,
                        "dead, but version " + dead.version() + " was never stored",
                        task.ops,
                        List.of()));
            }
        }
        for (Op op : task.ops) {
            Long due = (op.answer() != null) ? op.answer().dueMillis() : null;
            if (op.stored() && due != null && !clockWasSet(op) && due < earliestDue(task, op)) {
                findings.add(task.finding(Rule.EARLY, "stored as due before it was asked for", List.of(op), List.of()));
            }
        }
        return findings;
    }

    /**
     * Returns the earliest due time that the reply may contain. The reply to a repeated request contains the due time
     * of the task that it stored the first time, which may have been rescheduled since.
     */
    private long earliestDue(TaskHistory task, Op op) {
        String version = op.invoked().version();
        if (version == null) {
            return Long.MIN_VALUE;
        }
        List<Op> sources = new ArrayList<>(task.storing(version));
        if (sources.stream().anyMatch(sent -> sent.begin() < op.begin())) {
            task.ops.stream()
                    .filter(other -> other.mayHaveRescheduled() && other.begin() < op.end())
                    .forEach(sources::add);
        }
        return sources.stream()
                .mapToLong(source -> source.earliestDue(tolerance()))
                .min()
                .orElse(Long.MIN_VALUE);
    }

    private void unexpected(TaskHistory task, Lease lease, List<Finding> findings) {
        String version = lease.version();
        if (version == null || task.storing(version).isEmpty()) {
            findings.add(task.finding(
                    Rule.UNEXPECTED,
                    "delivered version " + version + ", which was never stored under this id",
                    task.ops,
                    List.of(lease)));
        } else if (task.ops.stream().noneMatch(this::clockWasSet)
                && task.sourcesOf(lease, tolerance(), settings.faults()).isEmpty()) {
            findings.add(task.finding(
                    Rule.UNEXPECTED,
                    "delivered with a due time that nobody asked for: " + lease.dueMillis(),
                    task.ops,
                    List.of(lease)));
        }
    }

    private void early(TaskHistory task, Lease lease, List<Finding> findings) {
        if (wasDueBefore(task, lease)) {
            return;
        }
        for (Entry entry : lease.deliveries()) {
            Long late = latenessMicros(entry);
            if (late != null && late < -tolerance() * 1000 && !settings.isClockSet(entry.micros(), entry.micros())) {
                findings.add(task.finding(
                        Rule.EARLY, "delivered " + -late / 1000 + " ms before its time", task.ops, List.of(lease)));
                return;
            }
        }
    }

    /**
     * Returns whether the server's clock had already passed the due time. A retry waits only for its back-off, even if
     * the clock is set back in the meantime.
     */
    private static boolean wasDueBefore(TaskHistory task, Lease lease) {
        return task.leases.stream()
                .filter(before -> before.at() < lease.from() && before.dueMillis() == lease.dueMillis())
                .map(Lease::acquired)
                .anyMatch(acquired -> acquired != null && acquired.redisMicros() >= lease.dueMillis() * 1000);
    }

    /** Returns the lateness of a delivery by the Redis server's clock; null if unknown. */
    static @Nullable Long latenessMicros(Entry delivery) {
        if (delivery.event() instanceof Event.Started started && started.redisMicros() != null) {
            return started.redisMicros() - started.dueMillis() * 1000;
        }
        if (delivery.event() instanceof Event.Arrived arrived && arrived.redisMicros() != null) {
            return arrived.redisMicros() - arrived.dueMillis() * 1000;
        }
        return null;
    }

    private boolean clockWasSet(Op op) {
        return settings.isClockSet(op.begin(), op.ended() != null ? op.ended().micros() : op.begin());
    }

    private long tolerance() {
        return settings.clockTolerance().toMillis();
    }
}
