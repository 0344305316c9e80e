// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ListedTask;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskPage;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads pages of tasks in one state that match a filter, with bounded work per page. */
final class TaskPages {

    private static final int LARGEST = 500;
    /** Headers of live tasks are read one by one. */
    private static final int LARGEST_WITH_HEADERS = 100;

    private static final int MOST_READS = 20;

    /** After this time a page ends even if it is not full. */
    static final Duration LONGEST = Duration.ofSeconds(2);

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;

    TaskPages(DelayQueueAdmin admin, DelayQueueOperations tasks) {
        this.admin = admin;
        this.tasks = tasks;
    }

    /** Limits the filter to tasks that are dead now, by the clock of Redis. */
    TaskFilter deadByNow(String queue, TaskFilter filter) {
        Instant behind = admin.now(queue).plusMillis(1);
        Instant until = filter.until();
        return until == null || behind.isBefore(until) ? within(filter, filter.from(), behind) : filter;
    }

    /** Returns the filter with another period. */
    static TaskFilter within(TaskFilter filter, @Nullable Instant from, @Nullable Instant until) {
        return new TaskFilter(
                filter.idPrefix(),
                from,
                until,
                filter.reason(),
                filter.exactReason(),
                filter.reasonKind(),
                filter.header(),
                filter.headerValue(),
                filter.retrying());
    }

    /** @param next start of the next page; null at the end */
    record Page(List<TaskView> tasks, @Nullable TaskPosition next) {}

    /** A task, with its headers if they were read with it. */
    private record Candidate(TaskView task, @Nullable Map<String, String> headers) {}

    /** Tasks in order, matching or not. */
    private record Batch(
            List<Candidate> candidates, @Nullable TaskPosition next) {}

    /**
     * Reads a page. It ends when it is full, after two seconds, or after 20 reads of up to 500 tasks. Without an id
     * prefix, each read visits no more tasks than it returns.
     *
     * @param newestFirst whether the newest dead tasks are first; positions of one order are not those of the other
     * @param size maximum number of tasks, 1 to 500
     */
    Page read(
            String queue,
            TaskState state,
            TaskFilter filter,
            boolean newestFirst,
            int size,
            @Nullable TaskPosition after) {
        if (size < 1 || size > LARGEST) {
            throw new IllegalArgumentException(
                    "A page holds 1 to " + LARGEST + " tasks, but the requested size is " + size);
        }
        List<TaskView> found = new ArrayList<>();
        TaskPosition position = after;
        long begin = System.nanoTime();
        for (int reads = 0; reads < MOST_READS; reads++) {
            int room = size - found.size();
            Batch batch = batch(queue, state, filter, newestFirst, readSize(state, filter, room), position);
            List<TaskView> passed = passed(queue, filter, state, batch);
            if (passed.size() > room) {
                // Reads again, so that the page ends with the last task that fits.
                int last = indexOf(batch, passed.get(room - 1));
                batch = batch(queue, state, filter, newestFirst, 1 + last, position);
                passed = passed(queue, filter, state, batch);
            }
            found.addAll(passed);
            position = batch.next();
            boolean isLate = System.nanoTime() - begin >= LONGEST.toNanos();
            if (position == null || found.size() >= size || isLate) {
                break;
            }
        }
        return new Page(List.copyOf(found), position);
    }

    /** Returns whether a page may have to read many tasks that do not match. */
    static boolean isScan(TaskState state, TaskFilter filter) {
        FilterMatch match = new FilterMatch(filter);
        boolean picks = filter.retrying()
                || match.looksAtReasons()
                || match.readsHeaders()
                || !filter.idPrefix().isEmpty();
        return switch (state) {
            case SCHEDULED -> picks;
            case LEASED -> true;
            case DEAD -> picks || filter.from() != null || filter.until() != null;
        };
    }

    /** If most tasks match, reads only as many as fit. */
    private static int readSize(TaskState state, TaskFilter filter, int room) {
        FilterMatch match = new FilterMatch(filter);
        if (match.readsHeaders() && state != TaskState.DEAD) {
            return LARGEST_WITH_HEADERS;
        }
        boolean picks = match.looksAtReasons() || filter.retrying();
        boolean most = state == TaskState.DEAD ? !isScan(state, filter) : state == TaskState.SCHEDULED && !picks;
        return most ? room : LARGEST;
    }

    private static int indexOf(Batch batch, TaskView task) {
        return batch.candidates().stream().map(Candidate::task).toList().indexOf(task);
    }

    private Batch batch(
            String queue,
            TaskState state,
            TaskFilter filter,
            boolean newestFirst,
            int size,
            @Nullable TaskPosition after) {
        return state == TaskState.DEAD
                ? dead(queue, filter, newestFirst, size, after)
                : live(queue, filter, size, after);
    }

    private Batch live(String queue, TaskFilter filter, int size, @Nullable TaskPosition after) {
        TaskPage<ListedTask> found = admin.liveTasks(
                queue,
                TaskQuery.first(size)
                        .between(filter.from(), filter.until())
                        .withIdPrefix(filter.idPrefix())
                        .after(after == null ? null : after.text()));
        return new Batch(
                found.content().stream()
                        .map(task -> new Candidate(TaskView.of(task), null))
                        .toList(),
                found.position() == null ? null : TaskPosition.parse(found.position()));
    }

    private Batch dead(String queue, TaskFilter filter, boolean newestFirst, int size, @Nullable TaskPosition after) {
        TaskQuery query = TaskQuery.first(size).after(after == null ? null : after.text());
        query = newestFirst ? query.newestFirst() : query;
        TaskPage<ListedTask> found =
                admin.deadTasks(queue, new FilterMatch(filter).readsHeaders() ? query.includingContent() : query);
        return new Batch(
                found.content().stream()
                        .map(task -> new Candidate(
                                TaskView.of(task),
                                task.content().map(TaskContent::headers).orElse(Map.of())))
                        .toList(),
                next(filter, newestFirst, found.position()));
    }

    private static @Nullable TaskPosition next(TaskFilter filter, boolean newestFirst, @Nullable String end) {
        if (end == null) {
            return null;
        }
        TaskPosition position = TaskPosition.parse(end);
        return newestFirst ? since(filter.from(), position) : behind(filter.until(), position);
    }

    /** Skips the tasks that died earlier, if the newest are first; null at the end. */
    private static @Nullable TaskPosition since(@Nullable Instant from, TaskPosition end) {
        if (from == null || !end.moment().isBefore(from)) {
            return end;
        }
        return end.quarantined() ? TaskPosition.quarantine(0) : null;
    }

    /**
     * Skips the tasks of a shard that died after the range. A shard's dead tasks are ordered by their death, followed
     * by its quarantined tasks in the same order.
     */
    static TaskPosition behind(@Nullable Instant until, TaskPosition end) {
        if (until == null || end.moment().isBefore(until)) {
            return end;
        }
        return end.quarantined()
                ? new TaskPosition(end.shard() + 1, Instant.EPOCH, "")
                : TaskPosition.quarantine(end.shard());
    }

    private List<TaskView> passed(String queue, TaskFilter filter, TaskState state, Batch batch) {
        FilterMatch match = new FilterMatch(filter);
        return batch.candidates().stream()
                .filter(candidate -> candidate.task().state() == state && match.matches(candidate.task()))
                .filter(candidate -> !match.readsHeaders() || match.matches(headers(queue, candidate)))
                .map(Candidate::task)
                .toList();
    }

    private Map<String, String> headers(String queue, Candidate candidate) {
        Map<String, String> read = candidate.headers();
        if (read != null) {
            return read;
        }
        try {
            return tasks.find(queue, candidate.task().id(), EncodedPayload.class)
                    .map(found -> found.headers())
                    .orElse(Map.of());
        } catch (InvalidTaskException ex) {
            // An id that this library cannot have scheduled cannot be looked up.
            return Map.of();
        }
    }
}
