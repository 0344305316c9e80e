// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link Rule#LATE}: how late attempts were, and how soon after the last fault all had been made that were due. An attempt is late by
 * the time since it could have been made: since the task was due; or, once it was leased, since the pause before the next attempt was over,
 * or since the lease ran out.
 */
final class Punctuality {

    private static final Duration ON_TIME = Duration.ofSeconds(1);

    private final CheckSettings settings;
    private final List<Attempt> attempts = new ArrayList<>();
    private final @Nullable Long lastFault;

    Punctuality(CheckSettings settings, Run run) {
        this.settings = settings;
        for (TaskHistory task : run.tasks()) {
            add(task);
        }
        this.lastFault = lastFault(run);
    }

    /** When all was mended, and every process that came in the place of another was at work; null if nothing happened. */
    private static @Nullable Long lastFault(Run run) {
        Long last = null;
        boolean any = false;
        for (Entry cause : run.causes()) {
            Long end = null;
            if (cause.event() instanceof Event.Fault fault) {
                any = true;
                end = fault.begins() ? null : (Long) cause.micros();
            } else if (cause.event() instanceof Event.Changed changed) {
                switch (changed.change()) {
                    case KILLED, CONTINUED -> {
                        any = true;
                        end = cause.micros();
                    }
                    case STOPPED, TERMINATING -> any = true;
                    case STARTED -> end = any ? run.begin(changed.name()) : null;
                }
            }
            if (end != null && (last == null || end > last)) {
                last = end;
            }
        }
        return last;
    }

    private void add(TaskHistory task) {
        for (int i = 0; i < task.leases.size(); i++) {
            Lease lease = task.leases.get(i);
            if (lease.isTouched()) {
                Entry first = lease.deliveries().get(0);
                Long late = DeliveredAsAsked.latenessMicros(first);
                if (late != null) {
                    add(task, lease, first, late, lastBefore(task, i));
                }
            }
        }
    }

    private void add(TaskHistory task, Lease lease, Entry first, long late, @Nullable Lease before) {
        long due = first.micros() - Math.max(0, late);
        boolean isFirst = before == null && attempt(first) == 1;
        Long ready = isFirst
                ? (Long) due
                : (before != null && !isAnotherBetween(before, lease)) ? before.readyAgain() : null;
        List<Object> version = List.of(task.queue, task.id, String.valueOf(lease.version()), lease.dueMillis());
        attempts.add(new Attempt(version, first.micros(), due, ready, isFirst));
    }

    /** The lease before it of the same task at the same due time; null if there was none. */
    private static @Nullable Lease lastBefore(TaskHistory task, int index) {
        Lease lease = task.leases.get(index);
        for (int i = index - 1; i >= 0; i--) {
            Lease before = task.leases.get(i);
            boolean isSame = !before.isTouched() || Objects.equals(before.version(), lease.version());
            if (isSame && before.dueMillis() == lease.dueMillis()) {
                return before;
            }
        }
        return null;
    }

    /** Whether the store counted an attempt between two leases of which nobody wrote anything down. */
    private static boolean isAnotherBetween(Lease before, Lease lease) {
        Event.Acquired first = before.acquired();
        Event.Acquired then = lease.acquired();
        return first == null || then == null || counted(then) > counted(first) + 1;
    }

    private static int counted(Event.Acquired acquired) {
        return acquired.failures() + acquired.expiries();
    }

    private static int attempt(Entry delivery) {
        return (delivery.event() instanceof Event.Started started)
                ? started.attempt()
                : (delivery.event() instanceof Event.Arrived arrived) ? arrived.attempt() : 0;
    }

    /** Of first attempts. */
    Lateness all() {
        return Lateness.of(attempts.stream()
                .filter(Attempt::isFirst)
                .map(attempt -> attempt.began() - attempt.due())
                .toList());
    }

    /** Of all attempts that could be made when the last fault had been over for long enough. */
    Lateness afterwards() {
        Long fault = lastFault;
        long from = (fault != null) ? fault + micros(settings.settleAfter()) : Long.MIN_VALUE;
        List<Long> late = new ArrayList<>();
        for (Attempt attempt : attempts) {
            Long ready = attempt.ready();
            if (ready != null && ready >= from) {
                late.add(Math.max(0, attempt.began() - ready));
            }
        }
        return Lateness.of(late);
    }

    /**
     * From the end of the last fault until each task that had been due by then, and came to an attempt yet, had come to one; null
     * without a fault, or if there was no such task.
     */
    @Nullable
    Duration recovery() {
        Long fault = lastFault;
        if (fault == null) {
            return null;
        }
        Map<List<Object>, Long> next = new HashMap<>();
        for (Attempt attempt : attempts) {
            if (attempt.due() <= fault && attempt.began() > fault) {
                next.merge(attempt.version(), attempt.began(), Math::min);
            }
        }
        return next.values().stream()
                .max(Comparator.naturalOrder())
                .map(last -> Duration.ofNanos((last - fault) * 1000))
                .orElse(null);
    }

    List<Finding> judge() {
        List<Finding> findings = new ArrayList<>();
        if (settings.recovery()) {
            Duration recovery = recovery();
            Duration limit = settings.lease().plus(settings.backStop().multipliedBy(2));
            if (recovery != null && recovery.compareTo(limit) > 0) {
                findings.add(finding("a task due before the last fault was over was attempted " + recovery.toMillis()
                        + " ms after it"));
            }
            Lateness after = afterwards();
            if (after.p99().compareTo(ON_TIME) > 0) {
                findings.add(finding("p99 of " + after.p99().toMillis() + " ms when the last fault was long over"));
            }
        }
        return findings;
    }

    private static Finding finding(String what) {
        return new Finding(Rule.LATE, "", "", what, List.of());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    /**
     * The beginning of an attempt.
     *
     * @param version what is delivered, with its due time
     * @param began when
     * @param due when the task was due
     * @param ready since when the attempt could be made; null if that is not known
     * @param isFirst whether none was made before
     */
    private record Attempt(
            List<Object> version,
            long began,
            long due,
            @Nullable Long ready,
            boolean isFirst) {}
}
