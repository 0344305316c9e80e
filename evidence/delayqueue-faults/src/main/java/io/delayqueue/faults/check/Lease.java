// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.End;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of a task under one lease. */
final class Lease {

    private final Entry first;
    private final long token;
    private final long dueMillis;
    final List<Entry> starts = new ArrayList<>();
    final List<Entry> ends = new ArrayList<>();
    final List<Entry> arrivals = new ArrayList<>();
    final List<Settlement> settlements = new ArrayList<>();
    final List<Entry> renewals = new ArrayList<>();
    final List<Entry> fencings = new ArrayList<>();

    private Lease(Entry first, long token, long dueMillis) {
        this.first = first;
        this.token = token;
        this.dueMillis = dueMillis;
    }

    /**
     * Creates a lease from the entry of its acquire, or from the entry of its first delivery if there is no such entry.
     */
    static Lease of(Entry entry) {
        if (entry.event() instanceof Event.Acquired acquired) {
            return new Lease(entry, acquired.token(), acquired.dueMillis());
        }
        if (entry.event() instanceof Event.Started started) {
            return new Lease(entry, started.token(), started.dueMillis());
        }
        if (entry.event() instanceof Event.Arrived arrived) {
            return new Lease(entry, arrived.token(), arrived.dueMillis());
        }
        throw new IllegalArgumentException(entry.toString());
    }

    String process() {
        return first.process();
    }

    long token() {
        return token;
    }

    long dueMillis() {
        return dueMillis;
    }

    Event.@Nullable Acquired acquired() {
        return (first.event() instanceof Event.Acquired acquired) ? acquired : null;
    }

    /** Returns the earliest time when this lease may have been acquired. */
    long from() {
        Event.Acquired acquired = acquired();
        return (acquired != null) ? acquired.sentMicros() : first.micros();
    }

    /** Returns the latest time when this lease may have been acquired. */
    long at() {
        return first.micros();
    }

    boolean isDelivered() {
        return !arrivals.isEmpty() || hasEnded(End.OK);
    }

    /** Returns whether a delivery under this lease started. */
    boolean isTouched() {
        return !arrivals.isEmpty() || !starts.isEmpty();
    }

    /** Returns whether all of its deliveries certainly failed before this time. */
    boolean failedBefore(long micros) {
        return arrivals.isEmpty()
                && ends.size() >= starts.size()
                && ends.stream()
                        .allMatch(
                                entry -> entry.micros() <= micros && ((Event.Ended) entry.event()).end() == End.FAILED);
    }

    /** Returns whether its holder reported an end, and each report was refused because the lease was lost. */
    boolean wasRefused() {
        return !settlements.isEmpty()
                && settlements.stream()
                        .noneMatch(settlement -> settlement.isAccepted() || settlement.mayHaveBeenAccepted());
    }

    /** Returns whether its holder reported a failed attempt, and the report was accepted. */
    boolean hasFailed() {
        return settlements.stream()
                .anyMatch(settlement -> settlement.isAccepted()
                        && !settlement.settling().uncertain()
                        && (settlement.settling().ending() == Event.Ending.RETRY
                                || settlement.settling().ending() == Event.Ending.DEAD));
    }

    private boolean hasEnded(End end) {
        return ends.stream().anyMatch(entry -> ((Event.Ended) entry.event()).end() == end);
    }

    /** Returns the version that was delivered; null if nothing was. */
    @Nullable
    String version() {
        for (Entry entry : deliveries()) {
            if (entry.event() instanceof Event.Started started) {
                return started.version();
            }
            if (entry.event() instanceof Event.Arrived arrived) {
                return arrived.version();
            }
        }
        return null;
    }

    /**
     * Returns the latest time from which the task could be acquired again: its holder released it, or the lease
     * expired. Null if unknown. An end that was sent twice and refused the second time counts as refused.
     */
    @Nullable
    Long readyAgain() {
        for (Settlement settlement : settlements) {
            if (settlement.isAccepted()) {
                return settlement.readyAgain();
            }
        }
        Event.Acquired acquired = acquired();
        if (acquired == null || settlements.stream().anyMatch(Settlement::mayHaveBeenAccepted)) {
            return null;
        }
        long until = at() + acquired.leaseMillis() * 1000;
        for (Entry entry : renewals) {
            Event.Renewed renewed = (Event.Renewed) entry.event();
            if (!Boolean.FALSE.equals(renewed.accepted())) {
                until = Math.max(until, entry.micros() + renewed.leaseMillis() * 1000);
            }
        }
        return until;
    }

    /** Returns the starts of handlers, and the messages. */
    List<Entry> deliveries() {
        List<Entry> all = new ArrayList<>(starts);
        all.addAll(arrivals);
        all.sort(Comparator.comparingLong(Entry::micros));
        return all;
    }

    /** Returns all entries in order. */
    List<Entry> entries() {
        List<Entry> all = new ArrayList<>();
        if (acquired() != null) {
            all.add(first);
        }
        all.addAll(starts);
        all.addAll(ends);
        all.addAll(arrivals);
        all.addAll(renewals);
        all.addAll(fencings);
        settlements.forEach(settlement -> all.addAll(settlement.entries()));
        all.sort(Comparator.comparingLong(Entry::micros));
        return all;
    }

    /**
     * The end of a lease that was sent to the store.
     *
     * @param answered null if the process ended before the answer arrived
     */
    record Settlement(
            Entry sent, Event.Settling settling, @Nullable Entry answered) {

        boolean isAccepted() {
            return answered != null
                    && answered.event() instanceof Event.Settled settled
                    && Boolean.TRUE.equals(settled.accepted());
        }

        boolean mayHaveBeenAccepted() {
            return answered == null || answered.event() instanceof Event.Settled settled && settled.accepted() == null;
        }

        /** Returns when the task could be acquired after the end was accepted. */
        private @Nullable Long readyAgain() {
            Long delay = settling.delayMillis();
            return switch (settling.ending()) {
                case RELEASE -> (Long) end();
                case RETRY -> (delay != null) ? (Long) (end() + delay * 1000) : null;
                case ACK, AGAIN, DEAD, DISCARD -> null;
            };
        }

        long end() {
            return (answered != null) ? answered.micros() : Long.MAX_VALUE;
        }

        List<Entry> entries() {
            return (answered != null) ? List.of(sent, answered) : List.of(sent);
        }
    }
}
