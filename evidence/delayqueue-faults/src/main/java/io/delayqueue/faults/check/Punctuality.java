// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.check.CheckSettings.OnTime;
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
 * {@link Rule#LATE}: the lateness of attempts, and the time after the last fault until all due attempts had been made.
 * The lateness of an attempt is the time since it could have been made: since the task was due, or, after an earlier
 * lease, since the end of the back-off or of the lease.
 */
final class Punctuality {

    private static final Duration ON_TIME = Duration.ofSeconds(1);

    private final CheckSettings settings;
    private final List<Attempt> attempts = new ArrayList<>();
    private final @Nullable Long lastFault;

    Punctuality(CheckSettings settings, Run run) {
        this.settings = settings;
        this.lastFault = lastFault(run);
        for (TaskHistory task : run.tasks()) {
            add(task);
        }
    }

    /** Returns when everything was repaired and every replacement process was at work; null if there was no fault. */
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
                    long due = first.micros() - Math.max(0, late);
                    Long ready = ready(task, i, due);
                    List<Object> version =
                            List.of(task.queue, task.id, String.valueOf(lease.version()), lease.dueMillis());
                    attempts.add(new Attempt(
                            version,
                            first.micros(),
                            due,
                            ready != null ? (Long) Math.max(ready, due) : null,
                            shard(lease),
                            isFirst(task, i)));
                }
            }
        }
    }

    private static @Nullable String shard(Lease lease) {
        Event.Acquired acquired = lease.acquired();
        return (acquired != null) ? acquired.queue() + ":" + acquired.shard() : null;
    }

    /**
     * Returns the time from which the attempt under a lease could be made. An earlier lease without a started attempt
     * is an excuse only if a fault may be the reason. Otherwise the attempt could be made as early as the attempt of
     * that lease.
     */
    private @Nullable Long ready(TaskHistory task, int index, long due) {
        Lease lease = task.leases.get(index);
        int at = indexBefore(task, index);
        if (at < 0) {
            return counted(lease) == 0 ? (Long) due : null;
        }
        Lease before = task.leases.get(at);
        if (counted(lease) > counted(before) + 1) {
            return null; // In between, the store counted an attempt that no process recorded.
        }
        Long fault = lastFault;
        boolean isExcused = before.isTouched() || fault != null && before.from() < fault;
        return isExcused ? before.readyAgain() : ready(task, at, due);
    }

    private static boolean isFirst(TaskHistory task, int index) {
        for (int at = indexBefore(task, index); at >= 0; at = indexBefore(task, at)) {
            if (task.leases.get(at).isTouched()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the index of the previous lease of the same task with the same due time; -1 for none. */
    private static int indexBefore(TaskHistory task, int index) {
        Lease lease = task.leases.get(index);
        for (int i = index - 1; i >= 0; i--) {
            Lease before = task.leases.get(i);
            boolean isSame =
                    !before.isTouched() || !lease.isTouched() || Objects.equals(before.version(), lease.version());
            if (isSame && before.dueMillis() == lease.dueMillis()) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the number of attempts that the store had counted before. */
    private static int counted(Lease lease) {
        Event.Acquired acquired = lease.acquired();
        return (acquired != null)
                ? acquired.failures() + acquired.expiries()
                : attempt(lease.deliveries().get(0)) - 1;
    }

    private static int attempt(Entry delivery) {
        return (delivery.event() instanceof Event.Started started)
                ? started.attempt()
                : (delivery.event() instanceof Event.Arrived arrived) ? arrived.attempt() : 1;
    }

    /** Returns the lateness of first attempts. */
    Lateness all() {
        return Lateness.of(attempts.stream()
                .filter(Attempt::isFirst)
                .map(attempt -> attempt.began() - attempt.due())
                .toList());
    }

    /** Returns the lateness of all attempts that could be made long enough after the last fault. */
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
     * Returns the time from the end of the last fault until the attempts of all tasks that had been due by then and
     * were attempted afterwards; null without a fault or without such a task.
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
            Duration limit = settings.lease().plus(settings.maxIdleInterval().multipliedBy(2));
            Duration recovery = recovery();
            if (recovery != null && recovery.compareTo(limit) > 0) {
                findings.add(finding("a task due before the last fault was over was attempted " + recovery.toMillis()
                        + " ms after it"));
            }
            Duration stuck = longest();
            if (stuck.compareTo(limit) > 0) {
                findings.add(finding("an attempt began " + stuck.toMillis() + " ms after it could"));
            }
            Lateness after = afterwards();
            if (after.p99().compareTo(ON_TIME) > 0) {
                findings.add(finding("p99 of " + after.p99().toMillis() + " ms when the last fault was long over"));
            }
            settings.onTime().stream().map(this::judge).filter(Objects::nonNull).forEach(findings::add);
        }
        return findings;
    }

    /**
     * Judges the attempts that had to be on time in any case. If there are no such attempts, nothing is proved, which
     * is also a finding.
     */
    private @Nullable Finding judge(OnTime promise) {
        List<Long> late = new ArrayList<>();
        for (Attempt attempt : attempts) {
            Long ready = attempt.ready();
            if (ready != null && promise.isMeant(attempt.shard(), ready)) {
                late.add(Math.max(0, attempt.began() - ready));
            }
        }
        Lateness lateness = Lateness.of(late);
        if (late.isEmpty()) {
            return finding("no attempt of those that were to be on time");
        }
        return lateness.p99().compareTo(promise.p99()) <= 0
                ? null
                : finding("p99 of " + lateness.p99().toMillis() + " ms, where "
                        + promise.p99().toMillis()
                        + " ms were promised, p50 of " + lateness.p50().toMillis() + " ms, of " + late.size()
                        + " attempts");
    }

    /** Returns the longest time for which an attempt could be made after the last fault and was not. */
    private Duration longest() {
        Long fault = lastFault;
        long longest = 0;
        for (Attempt attempt : attempts) {
            Long ready = attempt.ready();
            if (ready != null) {
                long from = (fault != null) ? Math.max(fault, ready) : ready;
                longest = Math.max(longest, attempt.began() - from);
            }
        }
        return Duration.ofNanos(longest * 1000);
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
     * @param version the delivered version and its due time
     * @param began time when it began
     * @param due due time of the task
     * @param ready earliest time of the attempt; null if unknown
     * @param shard shard of the task, as {@code queue:number}; null if unknown
     * @param isFirst whether it is the first attempt
     */
    private record Attempt(
            List<Object> version,
            long began,
            long due,
            @Nullable Long ready,
            @Nullable String shard,
            boolean isFirst) {}
}
