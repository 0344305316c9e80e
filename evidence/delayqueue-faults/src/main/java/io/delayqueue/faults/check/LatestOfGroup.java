// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.TaskIds;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@link Rule#MISFIRED}: of a group's tasks that misfired the latest is delivered, and only those before it are dropped. What is
 * dropped may be known to nobody, as its process was killed: then it is enough that a later one may have been there. As each
 * acquire decides anew, no more is asked of two of them.
 */
final class LatestOfGroup {

    private static final String MISFIRED = "misfired";
    /** In which the store may count differently from the histories. */
    private static final long ROUNDING = 1000;

    private final CheckSettings settings;
    private final long thresholdMicros;
    private final Map<List<String>, List<TaskHistory>> groups = new HashMap<>();
    private final List<TaskHistory> tasks = new ArrayList<>();
    private final Map<TaskHistory, List<Stay>> stays = new HashMap<>();

    LatestOfGroup(CheckSettings settings, Run run) {
        this.settings = settings;
        this.thresholdMicros = (settings.misfireAfter() == null)
                ? Long.MAX_VALUE
                : TimeUnit.NANOSECONDS.toMicros(settings.misfireAfter().toNanos());
        if (settings.misfireAfter() != null) {
            for (TaskHistory task : run.tasks()) {
                tasks.add(task);
                TaskIds.groupOf(task.id)
                        .ifPresent(group -> groups.computeIfAbsent(List.of(task.queue, group), key -> new ArrayList<>())
                                .add(task));
            }
        }
    }

    /**
     * Whether a task of which nothing was seen any more may have been dropped before a later one of its group.
     *
     * @param calls of which one gave it the due time that it had
     */
    boolean mayHaveDropped(TaskHistory task, Predicate<Op> calls) {
        return staysOf(task)
                .filter(stay -> calls.test(stay.op()))
                .anyMatch(stay -> others(task)
                        .anyMatch(other -> staysOf(other)
                                .anyMatch(behind -> isBehind(other, behind, task, stay)
                                        && Math.max(misfires(stay), misfires(behind))
                                                <= Math.min(stay.until(), behind.until()))));
    }

    List<Finding> judge() {
        List<Finding> findings = new ArrayList<>();
        for (TaskHistory task : tasks) {
            for (Entry entry : task.drops) {
                Event.Dropped dropped = (Event.Dropped) entry.event();
                String wrong = dropped.reason().equals(MISFIRED) ? wrong(task, dropped.redisMicros()) : null;
                if (wrong != null) {
                    findings.add(new Finding(Rule.MISFIRED, task.queue, task.id, wrong, proof(task, entry)));
                }
            }
        }
        groups.forEach((group, members) -> takenTogether(members, findings));
        return findings;
    }

    private @Nullable String wrong(TaskHistory task, long at) {
        List<Stay> misfires = misfires(task, at);
        if (misfires.isEmpty()) {
            return "dropped at " + at + " though it was tried, or not overdue by more than " + thresholdMicros / 1000
                    + " ms";
        }
        boolean isFollowed = others(task)
                .anyMatch(other -> misfires(other, at).stream()
                        .anyMatch(behind -> misfires.stream().anyMatch(stay -> isBehind(other, behind, task, stay))));
        return isFollowed ? null : "dropped at " + at + " though it was the latest misfire of its group";
    }

    /** Those that one call took were all there, so that only the last one was to be taken. */
    private void takenTogether(List<TaskHistory> members, List<Finding> findings) {
        Map<List<Object>, TaskHistory> taken = new HashMap<>();
        for (TaskHistory task : members) {
            Event.Acquired acquired = takenAsMisfire(task);
            if (acquired == null) {
                continue;
            }
            TaskHistory other = taken.putIfAbsent(List.of(acquired.shard(), acquired.redisMicros()), task);
            if (other != null) {
                findings.add(task.finding(
                        Rule.MISFIRED,
                        "taken as a misfire together with " + other.id + " of its group",
                        task.ops,
                        Stream.of(task, other).map(both -> both.leases.get(0)).toList()));
            }
        }
    }

    /** The first lease, if nothing but a call that stored the task was before it, and it came when the task had misfired. */
    private Event.@Nullable Acquired takenAsMisfire(TaskHistory task) {
        Event.Acquired acquired =
                task.leases.isEmpty() ? null : task.leases.get(0).acquired();
        return acquired != null
                        && acquired.failures() + acquired.expiries() == 0
                        && acquired.redisMicros() - acquired.dueMillis() * 1000 > thresholdMicros + ROUNDING
                        && task.ops.stream()
                                .filter(op -> op.begin() <= task.leases.get(0).at())
                                .map(Op::isSchedule)
                                .toList()
                                .equals(List.of(true))
                ? acquired
                : null;
    }

    private Stream<Stay> staysOf(TaskHistory task) {
        return stays
                .computeIfAbsent(
                        task, any -> Stay.of(any, settings.clockTolerance().toMillis()))
                .stream();
    }

    private Stream<TaskHistory> others(TaskHistory task) {
        return TaskIds.groupOf(task.id).map(group -> groups.get(List.of(task.queue, group))).stream()
                .flatMap(List::stream)
                .filter(other -> other != task);
    }

    /** As which it may have misfired by then, and not have been tried. */
    private List<Stay> misfires(TaskHistory task, long at) {
        return staysOf(task)
                .filter(stay -> misfires(stay) - ROUNDING <= at && at <= stay.until())
                .toList();
    }

    /** From when on it may have been there and have misfired. */
    private long misfires(Stay stay) {
        long overdue = (stay.dueFrom() == Long.MIN_VALUE) ? Long.MIN_VALUE : stay.dueFrom() + thresholdMicros;
        return Math.max(stay.from(), overdue);
    }

    /** Whether one may come behind another; of those that are due together the one whose id does. */
    private static boolean isBehind(TaskHistory other, Stay behind, TaskHistory task, Stay stay) {
        return behind.dueTo() > stay.dueFrom() || behind.dueTo() == stay.dueFrom() && other.id.compareTo(task.id) > 0;
    }

    private static List<Entry> proof(TaskHistory task, Entry drop) {
        List<Entry> proof = new ArrayList<>(TaskHistory.proof(task.ops, task.leases));
        proof.add(drop);
        return proof;
    }
}
