// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Rule#LATE}: how late first attempts were, and how soon they were on time again after the last fault. */
final class Punctuality {

    private static final Duration ON_TIME = Duration.ofSeconds(1);

    private final CheckSettings settings;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final @Nullable Long lastFault;

    Punctuality(CheckSettings settings, Run run) {
        this.settings = settings;
        for (TaskHistory task : run.tasks()) {
            task.leases.forEach(this::add);
        }
        deliveries.sort(Comparator.comparingLong(Delivery::micros));
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

    private void add(Lease lease) {
        if (!lease.isTouched()) {
            return;
        }
        Entry first = lease.deliveries().get(0);
        Long late = DeliveredAsAsked.latenessMicros(first);
        if (late != null && attempt(first) == 1) {
            deliveries.add(new Delivery(first.micros(), Math.max(0, late)));
        }
    }

    private static int attempt(Entry delivery) {
        return (delivery.event() instanceof Event.Started started)
                ? started.attempt()
                : (delivery.event() instanceof Event.Arrived arrived) ? arrived.attempt() : 0;
    }

    Lateness all() {
        return Lateness.of(deliveries.stream().map(Delivery::lateMicros).toList());
    }

    /** Of what was due when the last fault had been over for long enough. */
    Lateness afterwards() {
        Long fault = lastFault;
        long from = (fault != null) ? fault + micros(settings.settleAfter()) : Long.MIN_VALUE;
        return Lateness.of(deliveries.stream()
                .filter(delivery -> delivery.micros() - delivery.lateMicros() >= from)
                .map(Delivery::lateMicros)
                .toList());
    }

    /** From the end of the last fault to the first delivery; null without either. */
    @Nullable
    Duration recovery() {
        Long fault = lastFault;
        if (fault == null) {
            return null;
        }
        return deliveries.stream()
                .filter(delivery -> delivery.micros() > fault)
                .findFirst()
                .map(delivery -> Duration.ofNanos((delivery.micros() - fault) * 1000))
                .orElse(null);
    }

    List<Finding> judge() {
        List<Finding> findings = new ArrayList<>();
        if (settings.recovery()) {
            Duration recovery = recovery();
            Duration limit = settings.lease().plus(settings.backStop().multipliedBy(2));
            if (recovery != null && recovery.compareTo(limit) > 0) {
                findings.add(finding("the first delivery after the last fault took " + recovery.toMillis() + " ms"));
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

    private record Delivery(long micros, long lateMicros) {}
}
