// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.TaskWindow;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.ListedTask;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.jdbc.ReconcileDifference;
import io.delayqueue.jdbc.ReconcileDifference.Kind;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run and its findings. It compares each page of tasks, lets the differences settle and compares them again. It
 * ends early if its thread is interrupted.
 */
final class ReconcileRun {

    private static final Duration TOLERANCE = Duration.ofSeconds(1);
    private static final int MOST_EXAMPLES = 100;
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReconcileRequest request;
    private final DelayQueueOperations queues;
    private final DelayQueueAdmin admin;
    private final DueTimes dueTimes;
    private final Mending mending;
    private final InstantSource clock;

    private final Map<Kind, Long> found = new EnumMap<>(Kind.class);
    private final Map<Kind, Long> mended = new EnumMap<>(Kind.class);
    private final List<ReconcileDifference> examples = new ArrayList<>();
    private long looked;
    private long underWay;
    private long nextLookNanos = System.nanoTime();
    private boolean finished;

    ReconcileRun(
            ReconcileRequest request,
            DelayQueueOperations queues,
            DelayQueueAdmin admin,
            DueTimes dueTimes,
            Mending mending,
            InstantSource clock) {
        this.request = request;
        this.queues = queues;
        this.admin = admin;
        this.dueTimes = dueTimes;
        this.mending = mending;
        this.clock = clock;
        for (Kind kind : Kind.values()) {
            found.put(kind, 0L);
            mended.put(kind, 0L);
        }
    }

    void compare() {
        finished = compareExpected() && (!request.leftOvers() || compareLive());
    }

    /** Finds missing tasks and wrong due times. Returns {@code false} if the thread was interrupted. */
    private boolean compareExpected() {
        @Nullable String after = null;
        List<? extends ScheduleRequest<?>> page = request.expected().page(null, request.pageSize());
        while (!page.isEmpty()) {
            if (!compareExpected(page) || isInterrupted()) {
                return false;
            }
            String last = page.get(page.size() - 1).id();
            if (last.equals(after)) {
                throw new IllegalStateException("The page after task " + last
                        + " ended with that task again. A page must begin after the given id");
            }
            after = last;
            page = request.expected().page(after, request.pageSize());
        }
        return true;
    }

    private boolean compareExpected(List<? extends ScheduleRequest<?>> page) {
        List<String> differing = new ArrayList<>();
        for (ScheduleRequest<?> expected : page) {
            if (!expected.queue().equals(request.queue())) {
                throw new IllegalArgumentException("Task " + expected.id() + " is expected in queue '"
                        + expected.queue() + "', but this run compares queue '" + request.queue()
                        + "'. Return only tasks of that queue");
            }
            look();
            differenceOf(expected).ifPresent(difference -> differing.add(expected.id()));
        }
        boolean goesOn = settled(differing);
        if (goesOn && !differing.isEmpty()) {
            for (ScheduleRequest<?> expected : request.expected().find(differing)) {
                differenceOf(expected).ifPresent(difference -> add(mending.mend(request, difference, expected)));
            }
        }
        return goesOn;
    }

    private Optional<ReconcileDifference> differenceOf(ScheduleRequest<?> expected) {
        Instant due = dueTimes.of(expected);
        Instant now = clock.instant();
        Optional<FoundTask<EncodedPayload>> task = queues.find(request.queue(), expected.id());
        if (task.isEmpty() ? mayBeHandedOver(expected, due, now) : task.get().state() == TaskState.LEASED) {
            underWay++;
            return Optional.empty();
        }
        if (task.isEmpty()) {
            return difference(expected.id(), Kind.MISSING, due, null);
        }
        Instant foundDue = task.get().dueAt();
        if (task.get().state() == TaskState.DEAD) {
            return difference(expected.id(), Kind.DEAD, due, foundDue);
        }
        return isRight(expected, due, foundDue, now)
                ? Optional.empty()
                : difference(expected.id(), Kind.WRONG_DUE_TIME, due, foundDue);
    }

    /**
     * Returns whether the task may just have been delivered for the first time: it became due, or its delivery hours
     * began.
     */
    private boolean mayBeHandedOver(ScheduleRequest<?> expected, Instant due, Instant now) {
        Instant lately = now.minus(request.handedOver());
        Instant delivered = dueTimes.opening(expected, later(due, lately));
        return delivered.isAfter(lately) && !delivered.isAfter(now);
    }

    /**
     * Returns whether the task would be delivered at the same moment. This holds for all tasks that are due, whenever
     * they became due, because a redrive or deliverNow changes the time. It also holds for tasks that wait for the same
     * opening of their hours.
     */
    private boolean isRight(ScheduleRequest<?> expected, Instant due, Instant foundDue, Instant now) {
        return Duration.between(due, foundDue).abs().compareTo(TOLERANCE) <= 0
                || dueTimes.opening(expected, later(due, now)).equals(dueTimes.opening(expected, later(foundDue, now)));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }

    /** Finds tasks that should not exist. Returns {@code false} if the thread was interrupted. */
    private boolean compareLive() {
        TaskQuery query = TaskQuery.first(request.pageSize()).withIdPrefix(request.idPrefix());
        TaskWindow<ListedTask> live;
        do {
            live = admin.liveTasks(request.queue(), query);
            if (!compareLive(live.content()) || isInterrupted()) {
                return false;
            }
            query = query.after(live.position());
        } while (live.hasNext());
        return true;
    }

    private boolean compareLive(List<ListedTask> page) {
        page.forEach(task -> look());
        List<ListedTask> waiting = new ArrayList<>();
        for (ListedTask task : withoutExpected(page)) {
            if (task.state() == TaskState.LEASED) {
                underWay++;
            } else if (task.state() == TaskState.SCHEDULED) {
                waiting.add(task);
            }
        }
        boolean goesOn = settled(waiting);
        if (goesOn) {
            for (ListedTask task : withoutExpected(waiting)) {
                leftOver(task).ifPresent(difference -> add(mending.mend(request, difference, null)));
            }
        }
        return goesOn;
    }

    private List<ListedTask> withoutExpected(List<ListedTask> tasks) {
        if (tasks.isEmpty()) {
            return tasks;
        }
        Set<String> expected = request
                .expected()
                .find(tasks.stream().map(ListedTask::id).toList())
                .stream()
                .map(ScheduleRequest::id)
                .collect(Collectors.toSet());
        return tasks.stream().filter(task -> !expected.contains(task.id())).toList();
    }

    /** Checks whether a task still waits for the same moment. */
    private Optional<ReconcileDifference> leftOver(ListedTask task) {
        return queues.find(request.queue(), task.id())
                .filter(now -> now.state() == TaskState.SCHEDULED && now.dueAt().equals(task.dueAt()))
                .flatMap(now -> difference(task.id(), Kind.LEFT_OVER, null, task.dueAt()));
    }

    private static Optional<ReconcileDifference> difference(
            String id, Kind kind, @Nullable Instant expectedDue, @Nullable Instant foundDue) {
        return Optional.of(new ReconcileDifference(
                id, kind, Optional.ofNullable(expectedDue), Optional.ofNullable(foundDue), false));
    }

    private void add(ReconcileDifference difference) {
        found.merge(difference.kind(), 1L, Long::sum);
        if (difference.mended()) {
            mended.merge(difference.kind(), 1L, Long::sum);
        }
        if (examples.size() < MOST_EXAMPLES) {
            examples.add(difference);
        }
        request.listener().accept(difference);
    }

    /**
     * Waits until the next task may be compared. Short bursts compensate for the time of queries, settling and repairs.
     */
    private void look() {
        looked++;
        nextLookNanos = Math.max(nextLookNanos, System.nanoTime() - BURST_NANOS)
                + TimeUnit.SECONDS.toNanos(1) / request.perSecond();
        pauseUntil(nextLookNanos);
    }

    /**
     * Waits for differences to settle before they are compared again. Returns {@code false} if the thread was
     * interrupted.
     */
    private boolean settled(List<?> differing) {
        if (!differing.isEmpty()) {
            pauseUntil(System.nanoTime() + request.settle().toNanos());
        }
        return !isInterrupted();
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private static void pauseUntil(long nanoTime) {
        long pause = nanoTime - System.nanoTime();
        while (pause > 0 && !isInterrupted()) {
            LockSupport.parkNanos(pause);
            pause = nanoTime - System.nanoTime();
        }
    }

    ReconcileResult result() {
        return new ReconcileResult(
                request.queue(),
                looked,
                underWay,
                Map.copyOf(found),
                Map.copyOf(mended),
                List.copyOf(examples),
                finished);
    }

    String line() {
        String kinds = found.entrySet().stream()
                .map(each -> each.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + each.getValue()
                        + " (mended " + mended.get(each.getKey()) + ")")
                .collect(Collectors.joining(", "));
        return "Queue '" + request.queue() + "' compared with the database: tasks compared " + looked + ", " + kinds
                + ", in progress " + underWay + (finished ? "" : "; not finished");
    }
}
