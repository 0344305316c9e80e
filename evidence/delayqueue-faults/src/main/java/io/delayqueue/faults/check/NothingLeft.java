// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.End;
import java.util.ArrayList;
import java.util.List;

/** {@link Rule#LEFT_OVER} and {@link Rule#DEAD_ATTEMPTS}: the remaining data after the drain. */
record NothingLeft(CheckSettings settings) implements TaskRule {

    private static final String EXPIRED = "lease expired";
    private static final String TOO_LATE = "expired";

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (FinalState.Live live : task.live) {
            findings.add(task.finding(
                    Rule.LEFT_OVER, "still live in shard " + live.shard() + " after the drain", task.ops, task.leases));
        }
        for (FinalState.Dead dead : task.dead) {
            if (!hasRightAttempts(dead)) {
                findings.add(task.finding(
                        Rule.DEAD_ATTEMPTS,
                        "dead with " + dead.failures() + " failures and " + dead.expiries() + " expired leases ("
                                + dead.reason() + "), not with " + settings.maxAttempts() + " failures",
                        task.ops,
                        task.leases));
            } else if (!wasSeenToFail(task, dead)) {
                findings.add(task.finding(
                        Rule.DEAD_ATTEMPTS,
                        "dead with " + dead.failures() + " failures, but as many were not seen",
                        task.ops,
                        task.leases));
            }
        }
        return findings;
    }

    private boolean hasRightAttempts(FinalState.Dead dead) {
        return dead.failures() == settings.maxAttempts()
                || dead.reason().startsWith(EXPIRED) && dead.expiries() == settings.maxExpiries() + 1
                || dead.reason().equals(TOO_LATE) && settings.expiresAfter() != null;
    }

    /**
     * With faults, a handler may have failed without a process that could count it. Without faults, the report of a
     * failure is refused if the task was rescheduled or replaced in the meantime, and then does not count.
     */
    private boolean wasSeenToFail(TaskHistory task, FinalState.Dead dead) {
        String version = dead.version();
        if (version == null || settings.brokerQueues().contains(dead.queue())) {
            return true;
        }
        long failed = task.touchedOf(version).stream()
                .filter(lease -> settings.faults() || !lease.wasRefused())
                .flatMap(lease -> lease.ends.stream())
                .filter(entry -> entry.event() instanceof Event.Ended ended && ended.end() == End.FAILED)
                .count();
        failed += refusedBeforeTheHandler(task, version);
        return settings.faults() ? failed >= dead.failures() : failed == dead.failures();
    }

    /** Returns the number of attempts of the version that an interceptor ended before a handler got the task. */
    private static long refusedBeforeTheHandler(TaskHistory task, String version) {
        List<Lease> touched = task.touchedOf(version);
        return task.leases.stream()
                .filter(lease -> !lease.isTouched()
                        && lease.hasFailed()
                        && touched.stream().anyMatch(other -> other.dueMillis() == lease.dueMillis()))
                .count();
    }
}
