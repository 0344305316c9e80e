// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.store.LongestWait;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.StoredTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model of a shard in plain Java: one record per task, no indexes, no clock. Each call gets the times that the server
 * used, which the driver learns from replies and from the keys.
 */
final class ShardModel {

    /** One task. Times are epoch ms; a lease is there when its token is not 0. */
    static final class Task {
        long due;
        /** When it needs attention next, or when it died. */
        long moment;

        String payload;
        /** How long it may be overdue, ms; 0 where it does not say. */
        long expiresAfter;

        int request;
        /** How often it was rescheduled while a delivery had begun. */
        int reschedules;

        char outcome;
        long token;
        /** When the lease ends. */
        long leaseEnd;
        /** Whether the lease belongs to a delivery of an earlier task of the id. */
        boolean waits;

        /** The time until which calls may postpone it; 0 if it was not debounced. */
        long last;

        boolean dead;
        /** Whether an unsuccessful attempt, a lost lease or a reschedule during a delivery left a record. */
        boolean marked;

        int failures;
        int expired;
        boolean uncertain;
        String reason = "";
        /** Why its last attempts have failed, the newest first. */
        List<String> trail = List.of();

        boolean isOf(int other) {
            return request == other && reschedules == 0;
        }

        /** The moment as callers see it: stored scores of quarantined tasks are later. */
        long shown() {
            return moment >= DeadContract.QUARANTINE ? moment - DeadContract.QUARANTINE : moment;
        }

        TaskState state() {
            return dead ? TaskState.DEAD : token != 0 ? TaskState.LEASED : TaskState.SCHEDULED;
        }
    }

    private static final String MAY_RUN = "an earlier delivery may still be in progress";

    record Taken(String id, long due, int failures, int expired) {}

    record Batch(long token, List<Taken> taken, Map<String, String> dead) {}

    private static final Comparator<Map.Entry<String, Task>> LIVE = Comparator.<Map.Entry<String, Task>>comparingLong(
                    entry -> entry.getValue().moment)
            .thenComparing(Map.Entry::getKey);

    final Map<String, Task> tasks = new TreeMap<>();
    long counter;
    boolean paused;
    String pausedSince = "";

    /** What scheduling answers; null for a repeated request, whose answer is the outcome stored with the task. */
    ScheduleOutcome conflict(String id, int request, long due, ConflictPolicy policy) {
        Task held = tasks.get(id);
        if (held == null) {
            return ScheduleOutcome.CREATED;
        }
        if (held.isOf(request)) {
            return null;
        }
        boolean keep = switch (policy) {
            case REPLACE, DEBOUNCE -> false;
            case KEEP -> true;
            case THROTTLE -> !held.dead;
            case KEEP_EARLIER -> !held.dead && due >= held.due;
            case KEEP_LATER -> !held.dead && due <= held.due;
        };
        if (keep) {
            return ScheduleOutcome.KEPT;
        }
        if (held.dead) {
            return ScheduleOutcome.REPLACED_DEAD;
        }
        return held.token != 0 || held.uncertain ? ScheduleOutcome.REPLACED_IN_FLIGHT : ScheduleOutcome.REPLACED;
    }

    /** Returns the last moment that a debounce call at this time keeps; 0 if its wait begins now. */
    long lastMoment(String id, long now) {
        Task held = tasks.get(id);
        boolean hasBegun = held == null
                || held.dead
                || (held.token != 0 && !held.waits)
                || held.failures + held.expired > 0
                || (held.uncertain && !held.reason.equals(MAY_RUN)) // else an earlier delivery
                || (held.last < now && held.due > now);
        return hasBegun ? 0 : held.last;
    }

    /** Returns whether a delivery has a lease that has not ended by then. */
    boolean isLeasedAfter(String id, long now) {
        Task task = tasks.get(id);
        return task != null && task.token != 0 && task.leaseEnd > now;
    }

    /** The live ones, in their order; copies, since a map's own entries change when others are removed. */
    List<Map.Entry<String, Task>> live() {
        return tasks.entrySet().stream()
                .filter(entry -> !entry.getValue().dead)
                .map(Map.Entry::copyOf)
                .sorted(LIVE)
                .toList();
    }

    private static void await(Task task) {
        task.moment = task.waits ? Math.max(task.leaseEnd, task.due) : task.due;
    }

    /** @param waits whether it waits for the end of a delivery */
    void put(
            String id,
            int request,
            String payload,
            long due,
            long expiresAfter,
            ScheduleOutcome outcome,
            boolean waits) {
        Task held = tasks.get(id);
        Task task = new Task();
        task.request = request;
        task.payload = payload;
        task.due = due;
        task.expiresAfter = expiresAfter;
        task.outcome = switch (outcome) {
            case CREATED -> 'C';
            case REPLACED -> 'R';
            case REPLACED_IN_FLIGHT -> 'F';
            case REPLACED_DEAD -> 'D';
            case KEPT, DEFERRED -> throw new IllegalArgumentException();
        };
        if (waits) {
            task.token = held.token;
            task.leaseEnd = held.leaseEnd;
            task.waits = true;
        }
        boolean isOldInDoubt = outcome == ScheduleOutcome.REPLACED_IN_FLIGHT
                || (outcome == ScheduleOutcome.REPLACED_DEAD && held.uncertain);
        if (isOldInDoubt && (!waits || held.uncertain)) {
            mark(task, true, MAY_RUN);
        }
        tasks.put(id, task);
        await(task);
    }

    /**
     * @param micros the server's clock
     * @param expiresAfter how long tasks may be overdue that do not say it themselves, ms; 0 for any time
     */
    Batch acquire(
            long micros,
            int limit,
            long lease,
            int maxExpired,
            int maxSuspects,
            long expiresAfter,
            boolean expiredKept) {
        long now = micros / 1000;
        if (paused) {
            return new Batch(0, List.of(), Map.of());
        }
        int suspects = 0;
        List<Map.Entry<String, Task>> due =
                live().stream().filter(entry -> entry.getValue().moment <= now).toList();
        List<Taken> taken = new ArrayList<>();
        Map<String, String> dead = new LinkedHashMap<>();
        long token = Math.max(counter + 1, micros / 10);
        for (Map.Entry<String, Task> entry : due) {
            if (taken.size() == limit) {
                break;
            }
            Task task = entry.getValue();
            boolean suspect = (task.token != 0 && !task.waits) || task.expired > 0;
            if (suspect && suspects >= maxSuspects) {
                continue;
            }
            if (task.token != 0) {
                if (!task.waits) {
                    task.expired++;
                    failed(task, "lease expired");
                }
                mark(task, true, task.waits ? MAY_RUN : "lease expired");
                task.token = 0;
                task.waits = false;
            }
            if (task.expired > maxExpired) {
                task.dead = true;
                task.moment = now;
                mark(task, true, "lease expired");
                dead.put(entry.getKey(), "lease expired");
            } else if (isTooLate(task, now, expiresAfter)) {
                task.dead = true;
                task.moment = now;
                mark(task, false, "expired");
                dead.put(entry.getKey(), "expired");
                if (!expiredKept) {
                    tasks.remove(entry.getKey());
                }
            } else {
                suspects += suspect ? 1 : 0;
                task.token = token;
                task.leaseEnd = now + lease;
                task.moment = now + lease;
                taken.add(new Taken(entry.getKey(), task.due, task.failures, task.expired));
            }
        }
        if (!taken.isEmpty()) {
            counter = token;
        }
        return new Batch(taken.isEmpty() ? 0 : token, taken, dead);
    }

    private static boolean isTooLate(Task task, long now, long expiresAfter) {
        long longest = task.expiresAfter > 0 ? task.expiresAfter : expiresAfter;
        return longest > 0 && now > task.due + longest;
    }

    /** Returns whether every due task has had an expired lease, like the tasks that an acquire skips. */
    boolean onlySuspectsAreDue(long now) {
        return tasks.values().stream()
                .filter(task -> !task.dead && task.moment <= now)
                .allMatch(task -> (task.token != 0 && !task.waits) || task.expired > 0);
    }

    /** The earliest moment after {@code now}; null if there is none. */
    boolean isEmpty() {
        return tasks.values().stream().allMatch(task -> task.dead);
    }

    Long nextAfter(long now) {
        return tasks.values().stream()
                .filter(task -> !task.dead && task.moment > now)
                .map(task -> task.moment)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    boolean anyDue(long now) {
        return tasks.values().stream().anyMatch(task -> !task.dead && task.moment <= now);
    }

    private boolean holds(String id, long token) {
        return tasks.containsKey(id) && tasks.get(id).token == token && token != 0;
    }

    /** @param moment next attempt or time of death, as the server had it */
    boolean settle(Settlement settlement, long moment) {
        if (!holds(settlement.id(), settlement.token())) {
            return false;
        }
        Task task = tasks.get(settlement.id());
        task.token = 0;
        if (task.waits) {
            task.waits = false;
            if (settlement.uncertain()) {
                mark(task, true, MAY_RUN);
            }
            await(task);
            return false;
        }
        if (settlement.verb() == Settlement.Verb.RELEASE) {
            await(task);
            return true;
        }
        if (settlement.verb() == Settlement.Verb.ACK || settlement.verb() == Settlement.Verb.DISCARD) {
            tasks.remove(settlement.id());
            return true;
        }
        if (settlement.verb() == Settlement.Verb.AGAIN) {
            task.marked = false;
            task.failures = 0;
            task.expired = 0;
            task.uncertain = false;
            task.reason = "";
            task.trail = List.of();
            task.reschedules++;
            task.due = moment;
            await(task);
            return true;
        }
        if (settlement.countsAsFailure()) {
            task.failures++;
            failed(task, settlement.reason());
        }
        boolean mayRun = !settlement.countsAsFailure() && !settlement.uncertain() && task.reason.equals(MAY_RUN);
        mark(task, settlement.uncertain(), mayRun ? MAY_RUN : settlement.reason());
        task.moment = moment;
        task.dead = settlement.isDeath();
        return true;
    }

    CancelOutcome cancel(String id) {
        Task task = tasks.get(id);
        if (task == null) {
            return CancelOutcome.NOT_FOUND;
        }
        tasks.remove(id);
        if (task.dead) {
            return CancelOutcome.DISCARDED_DEAD;
        }
        return task.token != 0 || task.uncertain ? CancelOutcome.IN_FLIGHT : CancelOutcome.CANCELLED;
    }

    /** @param waits whether it waits for the end of a delivery */
    RescheduleOutcome reschedule(String id, long due, boolean waits) {
        Task task = tasks.get(id);
        if (task == null || task.dead) {
            return RescheduleOutcome.NOT_FOUND;
        }
        boolean begun = task.token != 0 || task.uncertain;
        if (task.token != 0 && !waits) {
            mark(task, true, task.marked ? task.reason : "rescheduled during a delivery");
        }
        if (!waits) {
            task.token = 0;
        }
        task.waits = waits;
        task.due = due;
        await(task);
        if (!begun) {
            return RescheduleOutcome.RESCHEDULED;
        }
        task.reschedules++;
        return RescheduleOutcome.IN_FLIGHT;
    }

    UpdateOutcome update(String id, String payload) {
        Task task = tasks.get(id);
        if (task == null || task.dead) {
            return UpdateOutcome.NOT_FOUND;
        }
        if (task.token != 0 || task.uncertain) {
            return UpdateOutcome.IN_FLIGHT;
        }
        task.payload = payload;
        return UpdateOutcome.UPDATED;
    }

    private static long bounded(long moment) {
        return Math.max(0, Math.min(moment, Due.MAX_EPOCH_MILLIS));
    }

    /** Returns the live tasks of a group in order. */
    private List<Map.Entry<String, Task>> liveOf(String group) {
        return live().stream()
                .filter(entry -> entry.getKey().startsWith(TaskIds.groupPrefix(null, group)))
                .toList();
    }

    ShardGroupChange cancelGroup(String group) {
        List<String> begun = new ArrayList<>();
        List<Map.Entry<String, Task>> all = liveOf(group);
        for (Map.Entry<String, Task> entry : all) {
            if (entry.getValue().token != 0 || entry.getValue().uncertain) {
                begun.add(entry.getKey());
            }
            tasks.remove(entry.getKey());
        }
        int before = tasks.size();
        tasks.keySet().removeIf(id -> id.startsWith(TaskIds.groupPrefix(null, group)));
        return new ShardGroupChange("", all.size() - begun.size(), begun, before - tasks.size());
    }

    /**
     * @param due null to shift
     * @param by by how much, in milliseconds
     */
    ShardGroupChange putOffGroup(String group, Long due, long by) {
        List<String> begun = new ArrayList<>();
        List<Map.Entry<String, Task>> all = liveOf(group);
        for (Map.Entry<String, Task> entry : all) {
            Task task = entry.getValue();
            if (task.token != 0 || task.uncertain) {
                begun.add(entry.getKey());
            }
            if (task.token != 0 && !task.waits) {
                continue;
            }
            long moment = due != null ? due : bounded((task.waits ? task.due : task.moment) + by);
            task.reschedules += task.uncertain ? 1 : 0;
            task.due = due != null ? due : bounded(task.due + by);
            if (task.waits) {
                await(task);
            } else {
                task.moment = moment;
            }
        }
        return new ShardGroupChange("", all.size() - begun.size(), begun, 0);
    }

    /** @param deadline as the server had it, if it put the old one off */
    Renewal renew(String id, long token, long deadline) {
        if (!holds(id, token)) {
            return Renewal.LOST;
        }
        Task task = tasks.get(id);
        task.leaseEnd = Math.max(task.leaseEnd, deadline);
        if (task.waits) {
            await(task);
            return Renewal.HELD_WHILE_ANOTHER_WAITS;
        }
        task.moment = task.leaseEnd;
        return Renewal.HELD;
    }

    /** The ids of the dead, the longest dead first. */
    List<String> dead() {
        return tasks.entrySet().stream()
                .filter(entry -> entry.getValue().dead)
                .sorted(Comparator.<Map.Entry<String, Task>>comparingLong(entry -> entry.getValue().moment)
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** @param due as the server had it */
    boolean redrive(String id, long due) {
        Task task = tasks.get(id);
        if (task == null || !task.dead) {
            return false;
        }
        task.dead = false;
        task.due = due;
        task.moment = due;
        task.failures = 0;
        task.expired = 0;
        task.marked = task.uncertain || !task.trail.isEmpty();
        task.reason = task.uncertain ? MAY_RUN : "";
        return true;
    }

    boolean discard(String id) {
        if (!tasks.containsKey(id) || !tasks.get(id).dead) {
            return false;
        }
        tasks.remove(id);
        return true;
    }

    /** Returns the ids deleted: live ones in the order of their moments, then dead ones. */
    List<String> purge(int limit) {
        List<String> gone =
                new ArrayList<>(live().stream().map(Map.Entry::getKey).toList());
        gone.addAll(dead());
        gone = gone.subList(0, Math.min(limit, gone.size()));
        gone.forEach(tasks::remove);
        return gone;
    }

    private static void failed(Task task, String reason) {
        List<String> longer = new ArrayList<>(task.trail);
        longer.add(0, reason);
        task.trail = longer.subList(0, Math.min(longer.size(), StoredTask.MOST_ATTEMPTS));
    }

    private static void mark(Task task, boolean uncertain, String reason) {
        task.marked = true;
        task.uncertain |= uncertain;
        task.reason = reason;
    }

    private static Map<String, String> until(Map<String, String> headers, long lastMoment) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(LongestWait.HEADER, "%015d".formatted(lastMoment));
        headers.forEach(all::putIfAbsent);
        return all;
    }

    /** How this looks in Redis. */
    ShardState state() {
        Map<String, Long> index = new TreeMap<>();
        Map<String, String> envelopes = new TreeMap<>();
        Map<String, String> leases = new TreeMap<>();
        Map<String, String> attempts = new TreeMap<>();
        Map<String, Long> dead = new TreeMap<>();
        tasks.forEach((id, task) -> {
            (task.dead ? dead : index).put(id, task.moment);
            TaskContent content = StoreContract.content(task.payload, task.expiresAfter);
            if (task.last != 0) {
                content = ShardModelDriver.debounced(content, until(content.headers(), task.last));
            }
            envelopes.put(id, StoreContract.envelope(task.outcome, task.request, task.reschedules, content));
            if (task.token != 0) {
                leases.put(id, "1:" + task.token + (task.waits ? "w" : "") + ":" + task.leaseEnd + ":" + task.due);
            }
            if (task.marked) {
                attempts.put(
                        id,
                        "1:" + task.due + ":" + task.failures + ":" + task.expired + ":" + (task.uncertain ? 1 : 0)
                                + ":" + task.reason);
            }
        });
        return new ShardState(
                0,
                index,
                envelopes,
                leases,
                attempts,
                dead,
                counter == 0 ? "" : Long.toString(counter),
                paused ? pausedSince : "");
    }

    /** Returns the trails of tasks with a record of attempts. */
    Map<String, List<String>> trails() {
        Map<String, List<String>> trails = new TreeMap<>();
        tasks.forEach((id, task) -> {
            if (task.marked) {
                trails.put(id, task.trail);
            }
        });
        return trails;
    }
}
