// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.Settlement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a shard is meant to do, in plain Java: one record a task, no indexes. It has no clock. Each call is given the
 * times that the server used, which the driver learns from answers and from the keys.
 */
final class ShardModel {

    /** One task. Times are epoch ms; a lease is there when its token is not 0. */
    static final class Task {
        long due;
        /** When it needs attention next, or when it died. */
        long moment;

        String payload;
        int request;
        /** How often it was rescheduled while a delivery had begun. */
        int reschedules;

        char outcome;
        long token;
        boolean dead;
        /** Whether an unsuccessful attempt, a lost lease or a reschedule during a delivery left a record. */
        boolean marked;

        int failures;
        int expired;
        boolean uncertain;
        String reason = "";

        boolean isOf(int other) {
            return request == other && reschedules == 0;
        }

        TaskState state() {
            return dead ? TaskState.DEAD : token != 0 ? TaskState.LEASED : TaskState.SCHEDULED;
        }
    }

    record Taken(String id, long due, int failures, int expired) {}

    record Batch(long token, List<Taken> taken, Map<String, String> dead) {}

    final Map<String, Task> tasks = new TreeMap<>();
    long counter;
    boolean paused;
    String pausedSince = "";
    long paceFreeFromMicros;

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
            case REPLACE -> false;
            case KEEP -> true;
            case EARLIEST -> !held.dead && due >= held.due;
            case LATEST -> !held.dead && due <= held.due;
        };
        if (keep) {
            return ScheduleOutcome.KEPT;
        }
        return held.token != 0 || held.uncertain ? ScheduleOutcome.REPLACED_IN_FLIGHT : ScheduleOutcome.REPLACED;
    }

    void put(String id, int request, String payload, long due, ScheduleOutcome outcome) {
        Task task = new Task();
        task.request = request;
        task.payload = payload;
        task.due = due;
        task.moment = due;
        task.outcome = switch (outcome) {
            case CREATED -> 'C';
            case REPLACED -> 'R';
            case REPLACED_IN_FLIGHT -> 'F';
            case KEPT, DEFERRED -> throw new IllegalArgumentException();
        };
        if (outcome == ScheduleOutcome.REPLACED_IN_FLIGHT) {
            mark(task, true, "replaced during a delivery");
        }
        tasks.put(id, task);
    }

    /** @param micros the server's clock */
    Batch acquire(long micros, int limit, long lease, int maxExpired, int maxSuspects) {
        long now = micros / 1000;
        if (paused) {
            return new Batch(0, List.of(), Map.of());
        }
        int suspects = 0;
        List<Map.Entry<String, Task>> due = new ArrayList<>();
        tasks.entrySet().stream()
                .filter(entry -> !entry.getValue().dead && entry.getValue().moment <= now)
                .sorted(Comparator.<Map.Entry<String, Task>>comparingLong(entry -> entry.getValue().moment)
                        .thenComparing(Map.Entry::getKey))
                .forEach(due::add);
        List<Taken> taken = new ArrayList<>();
        Map<String, String> dead = new LinkedHashMap<>();
        long token = Math.max(counter + 1, micros / 10);
        for (Map.Entry<String, Task> entry : due) {
            if (taken.size() == limit) {
                break;
            }
            Task task = entry.getValue();
            boolean suspect = task.token != 0 || task.expired > 0;
            if (suspect && suspects >= maxSuspects) {
                continue;
            }
            if (task.token != 0) {
                task.expired++;
                mark(task, true, "lease expired");
                task.token = 0;
            }
            if (task.expired > maxExpired) {
                task.dead = true;
                task.moment = now;
                mark(task, true, "lease expired");
                dead.put(entry.getKey(), "lease expired");
            } else {
                suspects += suspect ? 1 : 0;
                task.token = token;
                task.moment = now + lease;
                taken.add(new Taken(entry.getKey(), task.due, task.failures, task.expired));
            }
        }
        if (!taken.isEmpty()) {
            counter = token;
        }
        return new Batch(taken.isEmpty() ? 0 : token, taken, dead);
    }

    /** Whether a lease ran out before of each task that is due, as of those that an acquire passes over. */
    boolean onlySuspectsAreDue(long now) {
        return tasks.values().stream()
                .filter(task -> !task.dead && task.moment <= now)
                .allMatch(task -> task.token != 0 || task.expired > 0);
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
        if (settlement.verb() == Settlement.Verb.ACK) {
            tasks.remove(settlement.id());
            return true;
        }
        task.failures += settlement.countsAsFailure() ? 1 : 0;
        mark(task, settlement.uncertain(), settlement.reason());
        task.moment = moment;
        task.dead = settlement.verb() == Settlement.Verb.DEAD;
        return true;
    }

    boolean release(String id, long token) {
        if (!holds(id, token)) {
            return false;
        }
        Task task = tasks.get(id);
        task.token = 0;
        task.moment = task.due;
        return true;
    }

    CancelOutcome cancel(String id) {
        Task task = tasks.get(id);
        if (task == null || task.dead) {
            return CancelOutcome.NOT_FOUND;
        }
        tasks.remove(id);
        return task.token != 0 || task.uncertain ? CancelOutcome.IN_FLIGHT : CancelOutcome.CANCELLED;
    }

    RescheduleOutcome reschedule(String id, long due) {
        Task task = tasks.get(id);
        if (task == null || task.dead) {
            return RescheduleOutcome.NOT_FOUND;
        }
        if (task.token != 0) {
            mark(task, true, task.marked ? task.reason : "rescheduled during a delivery");
        }
        task.token = 0;
        task.due = due;
        task.moment = due;
        if (!task.uncertain) {
            return RescheduleOutcome.RESCHEDULED;
        }
        task.reschedules++;
        return RescheduleOutcome.IN_FLIGHT;
    }

    /** @param deadline as the server had it, if it put the old one off */
    boolean renew(String id, long token, long deadline) {
        if (!holds(id, token)) {
            return false;
        }
        tasks.get(id).moment = Math.max(tasks.get(id).moment, deadline);
        return true;
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
        task.marked = task.uncertain;
        task.reason = task.uncertain ? "redriven" : "";
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
        List<String> gone = new ArrayList<>(tasks.entrySet().stream()
                .filter(entry -> !entry.getValue().dead)
                .sorted(Comparator.<Map.Entry<String, Task>>comparingLong(entry -> entry.getValue().moment)
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList());
        gone.addAll(dead());
        gone = gone.subList(0, Math.min(limit, gone.size()));
        gone.forEach(tasks::remove);
        return gone;
    }

    private static void mark(Task task, boolean uncertain, String reason) {
        task.marked = true;
        task.uncertain |= uncertain;
        task.reason = reason;
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
            envelopes.put(id, StoreContract.envelope(task.outcome, task.request, task.reschedules, task.payload));
            if (task.token != 0) {
                leases.put(id, "1:" + task.token + ":" + task.moment + ":" + task.due);
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
                paused ? pausedSince : "",
                paceFreeFromMicros == 0 ? "" : "1:" + paceFreeFromMicros);
    }
}
