// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.util.ArrayList;
import java.util.List;

/**
 * {@link Rule#CANCELLED} and {@link Rule#REPLACED}: the outcome that callers got about the existing task is true.
 * Judges only if it is certain which task existed.
 */
record EndedByCaller(CheckSettings settings) implements TaskRule {

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (Op op : task.ops) {
            if (!op.isOk() || op.is("KEPT") || settings.mayBeUndone(op)) {
                continue;
            }
            Rule rule = (op.isSchedule() || op.isReschedule()) ? Rule.REPLACED : Rule.CANCELLED;
            for (Lease lease : task.leases) {
                if (lease.isTouched()) {
                    judge(task, op, lease, rule, findings);
                }
            }
            dead(task, op, rule, findings);
        }
        return findings;
    }

    private void judge(TaskHistory task, Op op, Lease lease, Rule rule, List<Finding> findings) {
        if (settings.mayBeUndone(lease.from(), lease.at())) {
            return;
        }
        if (lease.from() > op.end()) {
            if (wasThereOnlyBefore(task, op, lease)) {
                findings.add(task.finding(
                        rule, "acquired after " + told(op) + " had been answered", task.ops, List.of(lease)));
            }
        } else if (op.is("CANCELLED", "REPLACED", "RESCHEDULED")
                && !lease.failedBefore(op.end())
                && wasThereOnlyBefore(task, op, lease)
                && nothingStoredSince(task, op, lease)) {
            findings.add(task.finding(
                    rule, told(op) + " was answered although a delivery was under way", task.ops, List.of(lease)));
        }
    }

    /** Returns whether all calls that may have stored the delivered task were over when this one began. */
    private boolean wasThereOnlyBefore(TaskHistory task, Op op, Lease lease) {
        List<Op> sources = task.sourcesOf(lease, settings.clockTolerance().toMillis(), settings.faults());
        String version = lease.version();
        return version != null
                && !sources.isEmpty()
                && sources.stream().allMatch(source -> source != op && source.end() < op.begin())
                // A repeated request may store its task again, with its due time.
                && task.storing(version).stream().allMatch(source -> source != op && source.end() < op.begin());
    }

    /** Returns whether the call can only have found the delivered task. */
    private static boolean nothingStoredSince(TaskHistory task, Op op, Lease lease) {
        return task.ops.stream()
                .filter(other -> other != op && other.mayHaveStored())
                .noneMatch(other -> other.end() > lease.from() && other.begin() < op.end());
    }

    private void dead(TaskHistory task, Op op, Rule rule, List<Finding> findings) {
        for (FinalState.Dead dead : task.dead) {
            boolean ended =
                    op.stored() || op.is("CANCELLED", "DISCARDED_DEAD") || op.is("IN_FLIGHT") && !op.isReschedule();
            if (ended
                    && dead.version() != null
                    && !op.isOf(dead.version())
                    && task.storing(dead.version()).stream().allMatch(source -> source.end() < op.begin())) {
                findings.add(task.finding(
                        rule,
                        "version " + dead.version() + " is dead although " + told(op) + " was answered",
                        task.ops,
                        List.of()));
            }
        }
    }

    private static String told(Op op) {
        return op.invoked().verb() + " " + (op.answer() != null ? op.answer().outcome() : "");
    }
}
