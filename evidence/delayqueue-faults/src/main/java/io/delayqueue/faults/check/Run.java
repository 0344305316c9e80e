// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The histories of a run, combined by task: calls with their answers, leases with their deliveries. */
final class Run {

    private final Map<List<String>, TaskHistory> tasks = new LinkedHashMap<>();
    private final Map<List<Object>, Entry> answers = new HashMap<>();
    private final Map<List<Object>, Entry> settled = new HashMap<>();
    private final List<Entry> causes = new ArrayList<>();
    private final Map<String, Long> begins = new HashMap<>();

    private Run() {}

    static Run of(List<Entry> entries, FinalState end) {
        Run run = new Run();
        entries.forEach(run::index);
        entries.forEach(run::acquired);
        entries.forEach(run::other);
        end.dead().forEach(dead -> run.task(dead.queue(), dead.id()).dead.add(dead));
        end.live().forEach(live -> run.task(live.queue(), live.id()).live.add(live));
        run.tasks.values().forEach(TaskHistory::sort);
        return run;
    }

    Collection<TaskHistory> tasks() {
        return tasks.values();
    }

    /** Returns what was done to processes and servers. */
    List<Entry> causes() {
        return causes;
    }

    private TaskHistory task(String queue, String id) {
        return tasks.computeIfAbsent(List.of(queue, id), key -> new TaskHistory(queue, id));
    }

    private void index(Entry entry) {
        begins.merge(entry.process(), entry.micros(), Math::min);
        if (entry.event() instanceof Event.Answered answered) {
            answers.put(List.of(entry.process(), answered.call()), entry);
        } else if (entry.event() instanceof Event.Settled answer) {
            settled.put(List.of(entry.process(), answer.settling()), entry);
        }
    }

    private void acquired(Entry entry) {
        if (entry.event() instanceof Event.Acquired acquired) {
            task(acquired.queue(), acquired.id()).leases.add(Lease.of(entry));
        }
    }

    private void other(Entry entry) {
        if (entry.event() instanceof Event.Invoked invoked) {
            Entry end = answers.get(List.of(entry.process(), invoked.call()));
            Event.Answered answer = (end != null) ? (Event.Answered) end.event() : null;
            task(invoked.queue(), invoked.id()).ops.add(new Op(entry, invoked, end, answer));
        } else if (entry.event() instanceof Event.Started started) {
            lease(entry, started.queue(), started.id(), started.token(), started.dueMillis(), entry.process())
                    .starts
                    .add(entry);
        } else if (entry.event() instanceof Event.Fenced fenced) {
            lease(entry, fenced.queue(), fenced.id(), fenced.token(), null, entry.process())
                    .fencings
                    .add(entry);
        } else if (entry.event() instanceof Event.Ended ended) {
            lease(entry, ended.queue(), ended.id(), ended.token(), null, entry.process())
                    .ends
                    .add(entry);
        } else if (entry.event() instanceof Event.Arrived arrived) {
            lease(entry, arrived.queue(), arrived.id(), arrived.token(), arrived.dueMillis(), null)
                    .arrivals
                    .add(entry);
        } else if (entry.event() instanceof Event.Settling settling) {
            Entry answer = settled.get(List.of(entry.process(), settling.settling()));
            lease(entry, settling.queue(), settling.id(), settling.token(), null, entry.process())
                    .settlements
                    .add(new Lease.Settlement(entry, settling, answer));
        } else if (entry.event() instanceof Event.Renewed renewed) {
            Lease renewing = find(entry, renewed.queue(), renewed.id(), renewed.token(), null, entry.process());
            if (renewing != null) {
                renewing.renewals.add(entry);
            }
        } else if (entry.event() instanceof Event.Dropped dropped) {
            task(dropped.queue(), dropped.id()).drops.add(entry);
        } else if (entry.event() instanceof Event.Fault || entry.event() instanceof Event.Changed) {
            causes.add(entry);
        }
    }

    /** Returns the lease of an entry; a new one if its beginning was not recorded. */
    private Lease lease(
            Entry entry, String queue, String id, long token, @Nullable Long dueMillis, @Nullable String process) {
        Lease found = find(entry, queue, id, token, dueMillis, process);
        if (found == null) {
            found = Lease.of(
                    entry.event() instanceof Event.Started || entry.event() instanceof Event.Arrived
                            ? entry
                            : unseen(entry, queue, id, token));
            task(queue, id).leases.add(found);
        }
        return found;
    }

    /** Returns the last lease with this token that was acquired before the entry. */
    private @Nullable Lease find(
            Entry entry, String queue, String id, long token, @Nullable Long dueMillis, @Nullable String process) {
        Lease found = null;
        for (Lease lease : task(queue, id).leases) {
            if (lease.token() == token
                    && (dueMillis == null || lease.dueMillis() == dueMillis)
                    && (process == null || lease.process().equals(process))
                    && lease.from() <= entry.micros()
                    && (found == null || lease.at() >= found.at())) {
                found = lease;
            }
        }
        return found;
    }

    /**
     * Returns the acquisition of a lease whose beginning was not recorded, such as that of a task with unreadable
     * bytes.
     */
    private static Entry unseen(Entry entry, String queue, String id, long token) {
        Event.Acquired acquired = new Event.Acquired(queue, -1, id, token, 0, 0, 0, 0, 0, entry.micros());
        return new Entry(entry.process(), entry.number(), entry.micros(), entry.wallMillis(), acquired);
    }

    /** Returns when a process wrote its first entry; null if it never did. */
    @Nullable
    Long begin(String process) {
        return begins.get(process);
    }
}
