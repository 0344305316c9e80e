// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.TaskIds;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.memory.TaskTable.Place;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TooLate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One acquire: goes through the live tasks in the order of their moments, and takes what is due. */
final class AcquireOperation {

    /** How many tasks it looks at beyond twice its limit. */
    private static final int MORE_TO_LOOK_AT = 1_000;

    private final MemoryShard shard;
    private final Now now;
    private final AcquireRequest request;
    private final long lookAhead;
    private final List<MemoryTask> taken = new ArrayList<>();
    private final List<MemoryTask> died = new ArrayList<>();
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private int lookedAt;
    private int suspects;
    private long bytes;
    /** Where the latest task of each group stands that has misfired; null before that is asked for. */
    private @Nullable Map<String, Place> latestOfGroups;

    /** The first moments at which a lease or the pause before a retry ends, and a hold. */
    private long notYet = Long.MAX_VALUE;

    private long firstHoldEnd = Long.MAX_VALUE;

    AcquireOperation(MemoryShard shard, Now now, AcquireRequest request) {
        this.shard = shard;
        this.now = now;
        this.request = request;
        this.lookAhead = request.lookAhead().toMillis();
    }

    Acquisition acquire() {
        Long head = shard.tasks.earliest();
        if (head == null) {
            return new Acquisition(shard.name(), 0, List.of(), null, 0, Map.of(), List.of());
        }
        long horizon = now.millis() + lookAhead;
        if (head > horizon) {
            return answer(0, List.of(), until(head - lookAhead));
        }
        if (shard.pausedSince != null) {
            return answer(0, List.of(), null);
        }
        CatchUp catchUp = CatchUp.of(shard, now, request.catchUpPerSecond(), head);
        boolean paced = false;
        for (Place place : shard.tasks.live().headSet(Place.behind(horizon), false)) {
            if (isFull()) {
                break;
            }
            lookedAt++;
            MemoryTask task = shard.tasks.at(place);
            if (isPassedOver(task)) {
                continue;
            }
            if (whyTooLate(task) == null && !catchUp.admits(task.moment)) {
                paced = true;
                break;
            }
            choose(task);
        }
        boolean more = isFull();
        boolean any = !taken.isEmpty() || !died.isEmpty();
        died.forEach(this::die);
        long token = taken.isEmpty() ? 0 : shard.nextToken(now);
        List<AcquiredTask> tasks =
                taken.stream().map(task -> lease(task, token)).toList();
        if (!taken.isEmpty()) {
            catchUp.remember();
        }
        if (paced) {
            return answer(token, tasks, until(catchUp.nextBatch()));
        }
        // Where all that was looked at had to be passed over, looking again at once would find the same.
        return answer(token, tasks, more && any ? Duration.ZERO : untilNext(horizon));
    }

    private boolean isFull() {
        return taken.size() >= request.limit()
                || died.size() >= TaskStore.MAX_BATCH
                || lookedAt >= 2 * request.limit() + MORE_TO_LOOK_AT
                || bytes > request.maxBytes();
    }

    private boolean isPassedOver(MemoryTask task) {
        if (task.hold != null && task.isHeld(now)) {
            firstHoldEnd = Math.min(firstHoldEnd, task.hold.deadline());
            return true;
        }
        if ((task.isLeased() || task.attempts != null) && task.moment > now.millis()) {
            notYet = Math.min(notYet, task.moment);
            return true;
        }
        return isSuspect(task) && suspects >= request.maxSuspects();
    }

    private static boolean isSuspect(MemoryTask task) {
        return (task.isLeased() && !task.waits) || task.leaseExpiries() > 0;
    }

    private void choose(MemoryTask task) {
        task.hold = null;
        if (task.leaseExpiries() + (task.isLeased() && !task.waits ? 1 : 0) > request.maxLeaseExpiries()) {
            died.add(task);
            reasons.put(task.id, Acquisition.LEASE_EXPIRED);
            return;
        }
        String late = whyTooLate(task);
        if (late != null) {
            died.add(task);
            reasons.put(task.id, late);
            return;
        }
        suspects += isSuspect(task) ? 1 : 0;
        bytes += task.size();
        taken.add(task);
    }

    private @Nullable String whyTooLate(MemoryTask task) {
        if (hasExpired(task)) {
            return TooLate.EXPIRED;
        }
        boolean dropped = hasMisfired(task) && !(request.tooLate().takesLatest() && isLatest(task));
        return dropped ? TooLate.MISFIRED : null;
    }

    private boolean hasExpired(MemoryTask task) {
        return isOverdueBy(task, request.tooLate().longestWait(task.content));
    }

    private boolean hasMisfired(MemoryTask task) {
        boolean first = !task.isLeased() && task.attempts == null;
        return first && isOverdueBy(task, request.tooLate().misfireAfter());
    }

    private boolean isLatest(MemoryTask task) {
        String group = TaskIds.groupOf(task.id).orElse(null);
        return group == null || task.place.equals(latestOfGroups().get(group));
    }

    private Map<String, Place> latestOfGroups() {
        Map<String, Place> latest = latestOfGroups;
        if (latest == null) {
            latest = new HashMap<>();
            for (Place place : shard.tasks.live().headSet(Place.behind(now.millis()), false)) {
                MemoryTask task = shard.tasks.at(place);
                String group = hasMisfired(task) && !hasExpired(task)
                        ? TaskIds.groupOf(place.id()).orElse(null)
                        : null;
                if (group != null) {
                    latest.put(group, place);
                }
            }
            latestOfGroups = latest;
        }
        return latest;
    }

    private boolean isOverdueBy(MemoryTask task, @Nullable Duration longest) {
        return longest != null && now.millis() - task.due > longest.toMillis();
    }

    private void die(MemoryTask task) {
        String reason = Objects.requireNonNull(reasons.get(task.id));
        shard.history.note(
                now, task.id, "dead", reason, task.isLeased() && !task.waits ? task.holder : ProcessName.OWN);
        boolean late = TooLate.isReason(reason);
        if (!(late ? request.tooLate().keeps(reason) : request.keepsDead())) {
            shard.tasks.remove(task);
            return;
        }
        expire(task);
        task.attempts = task.attempts().with(!late || task.isUncertain(), reason);
        shard.tasks.move(task, true, now.millis());
    }

    private AcquiredTask lease(MemoryTask task, long token) {
        boolean wasLeased = task.isLeased();
        if (wasLeased && !task.waits) {
            shard.history.note(now, task.id, "retried", Acquisition.LEASE_EXPIRED, task.holder);
        }
        expire(task);
        task.token = token;
        task.holder = ProcessName.OWN;
        task.leaseEnd = now.millis() + request.lease().toMillis();
        if (task.moment != task.due && task.attempts != null && !wasLeased) {
            task.order = 0;
        }
        shard.tasks.move(task, false, task.leaseEnd);
        return new AcquiredTask(
                task.id,
                task.taskKey(),
                Instant.ofEpochMilli(task.due),
                task.failures(),
                task.leaseExpiries(),
                task.content);
    }

    private static void expire(MemoryTask task) {
        if (task.isLeased()) {
            task.attempts = task.waits
                    ? task.attempts().with(true, "an earlier delivery lost its lease")
                    : task.attempts().expired(task.leaseEnd, Acquisition.LEASE_EXPIRED);
            task.token = 0;
            task.waits = false;
        }
    }

    private @Nullable Duration untilNext(long horizon) {
        Place following = shard.tasks.live().higher(Place.behind(horizon));
        long next = following == null ? Long.MAX_VALUE : following.moment() - lookAhead;
        next = Math.min(next, Math.min(notYet, firstHoldEnd));
        return next == Long.MAX_VALUE ? null : until(next);
    }

    private Duration until(long moment) {
        return Duration.of(Math.max(0, moment * 1_000 - now.micros()), ChronoUnit.MICROS);
    }

    private Acquisition answer(long token, List<AcquiredTask> tasks, @Nullable Duration untilNext) {
        return new Acquisition(shard.name(), token, tasks, untilNext, now.micros(), reasons, List.of());
    }
}
