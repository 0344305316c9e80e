// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The events of one id of a queue, and its remaining data. */
final class TaskHistory {

    final String queue;
    final String id;
    final List<Op> ops = new ArrayList<>();
    final List<Lease> leases = new ArrayList<>();
    /** Entries of acquires that found the task but did not acquire it, because it must not be attempted again. */
    final List<Entry> drops = new ArrayList<>();

    final List<FinalState.Dead> dead = new ArrayList<>();
    final List<FinalState.Live> live = new ArrayList<>();

    TaskHistory(String queue, String id) {
        this.queue = queue;
        this.id = id;
    }

    void sort() {
        ops.sort(Comparator.comparingLong(Op::begin));
        leases.sort(Comparator.comparingLong(Lease::at));
    }

    /** Returns the versions of all tasks that were, or may have been, stored under this id. */
    Set<String> versions() {
        Set<String> versions = new TreeSet<>();
        for (Op op : ops) {
            String version = op.invoked().version();
            if (op.mayHaveStored() && version != null) {
                versions.add(version);
            }
        }
        return versions;
    }

    /**
     * Returns the calls that may have stored the delivered task with its due time.
     *
     * @param faults whether a call may have been sent twice
     */
    List<Op> sourcesOf(Lease lease, long toleranceMillis, boolean faults) {
        return ops.stream()
                .filter(op -> op.begin() <= lease.at())
                .filter(op -> op.mayHaveStored() && op.isOf(lease.version())
                        || op.mayHaveRescheduled()
                        || faults && op.mayHaveRescheduledUnseen() && lease.from() < op.end())
                .filter(op -> op.mayBeDueAt(lease.dueMillis(), toleranceMillis)
                        || faults && lease.from() < op.end() && op.mayHaveBeenDueAt(lease.dueMillis(), toleranceMillis))
                .toList();
    }

    /** Returns the calls that may have stored this version. */
    List<Op> storing(String version) {
        return ops.stream().filter(op -> op.mayHaveStored() && op.isOf(version)).toList();
    }

    List<Lease> touchedOf(String version) {
        return leases.stream()
                .filter(lease -> lease.isTouched() && version.equals(lease.version()))
                .toList();
    }

    boolean isDead(String version) {
        return dead.stream().anyMatch(task -> task.version() == null || version.equals(task.version()));
    }

    boolean isLive(String version) {
        return live.stream().anyMatch(task -> task.version() == null || version.equals(task.version()));
    }

    /** Returns the proof for a finding about these calls and leases. */
    static List<Entry> proof(Collection<Op> ops, Collection<Lease> leases) {
        List<Entry> proof = new ArrayList<>();
        ops.forEach(op -> proof.addAll(op.entries()));
        leases.forEach(lease -> proof.addAll(lease.entries()));
        proof.sort(Comparator.comparingLong(Entry::micros));
        return proof;
    }

    Finding finding(Rule rule, String what, Collection<Op> aboutOps, Collection<Lease> aboutLeases) {
        return new Finding(rule, queue, id, what, proof(aboutOps, aboutLeases));
    }
}
