// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link Rule#UNTIMELY}: by the Redis server's clock, no handler starts too late or outside the delivery hours, and no
 * acquire drops a task as too late that is not. For a task that was acquired before the clock was set, the old time
 * counts.
 */
final class DeliveredInTime implements TaskRule {

    private static final String TOO_LATE = "expired";
    /** The time from the moment that the server reported to the first line of the handler. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final CheckSettings settings;
    private final @Nullable DeliveryWindow window;

    DeliveredInTime(CheckSettings settings) {
        this.settings = settings;
        this.window = (settings.window() == null) ? null : DeliveryWindow.parse(settings.window());
    }

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (Lease lease : task.leases) {
            for (Entry entry : lease.deliveries()) {
                if (entry.event() instanceof Event.Started started
                        && started.redisMicros() != null
                        && !settings.isClockSet(lease.from(), entry.micros())) {
                    String wrong = wrong(started, started.redisMicros() / 1000);
                    if (wrong != null) {
                        findings.add(task.finding(Rule.UNTIMELY, wrong, task.ops, List.of(lease)));
                    }
                }
            }
        }
        for (Entry entry : task.drops) {
            if (entry.event() instanceof Event.Dropped dropped
                    && dropped.reason().equals(TOO_LATE)
                    && !mayBeTooLate(task, dropped.redisMicros())) {
                List<Entry> proof = new ArrayList<>(TaskHistory.proof(task.ops, task.leases));
                proof.add(entry);
                String wrong = "dropped as too late at " + dropped.redisMicros() + ", when it was not";
                findings.add(new Finding(Rule.UNTIMELY, task.queue, task.id, wrong, proof));
            }
        }
        return findings;
    }

    /**
     * Uses the earliest due time that a call may have set. For a call while the clock was set, that time is unknown.
     */
    private boolean mayBeTooLate(TaskHistory task, long at) {
        Duration longest = settings.expiresAfter();
        return longest != null
                && task.ops.stream()
                        .filter(op -> op.mayHaveStored() || op.mayHaveRescheduled() || op.mayHaveRescheduledUnseen())
                        .anyMatch(op -> settings.isClockSet(op.begin(), op.end())
                                || earliestDue(op) + longest.toMillis() <= at / 1000);
    }

    private long earliestDue(Op op) {
        long tolerance = settings.clockTolerance().toMillis();
        Long due = (op.answer() != null) ? op.answer().dueMillis() : null;
        if (due != null && op.invoked().delayMillis() == null) {
            return due;
        }
        return Math.min(op.earliestDue(tolerance), (due != null) ? due : op.latestDue(tolerance));
    }

    private @Nullable String wrong(Event.Started started, long now) {
        Duration longest = settings.expiresAfter();
        long late = now - started.dueMillis();
        if (longest != null && late > longest.plus(SLACK).toMillis()) {
            return "began " + late + " ms after its due time, where " + longest.toMillis() + " ms are allowed";
        }
        return (window == null || isOpen(window, now) || isOpen(window, now - SLACK.toMillis()))
                ? null
                : "began at " + Instant.ofEpochMilli(now) + ", outside of " + window;
    }

    private static boolean isOpen(DeliveryWindow window, long now) {
        return window.isOpen(Instant.ofEpochMilli(now), Map.of());
    }
}
