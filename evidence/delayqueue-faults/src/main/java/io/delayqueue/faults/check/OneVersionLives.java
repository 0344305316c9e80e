// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.util.ArrayList;
import java.util.List;

/**
 * {@link Rule#REVIVED}: when a version has been delivered, versions that were stored before it no longer exist, even if
 * their callers do not know this.
 */
record OneVersionLives(CheckSettings settings) implements TaskRule {

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (Lease earlier : task.leases) {
            for (Lease later : task.leases) {
                String old = later.version();
                String young = earlier.version();
                if (old != null
                        && young != null
                        && !old.equals(young)
                        && later.from() > earlier.at()
                        && !settings.mayBeUndone(earlier.from(), later.at())
                        && wasStoredBefore(task, old, young)) {
                    findings.add(task.finding(
                            Rule.REVIVED,
                            "version " + old + " was acquired after version " + young + ", which took its place",
                            task.ops,
                            List.of(earlier, later)));
                }
            }
        }
        return findings;
    }

    private static boolean wasStoredBefore(TaskHistory task, String old, String young) {
        List<Op> ofYoung = task.storing(young);
        List<Op> ofOld = task.storing(old);
        return !ofYoung.isEmpty()
                && !ofOld.isEmpty()
                && ofOld.stream().allMatch(op -> ofYoung.stream().allMatch(other -> op.end() < other.begin()));
    }
}
