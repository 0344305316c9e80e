// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskPage;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads pages of tasks that are in one state and match a filter. Limits the work per page. */
record TaskPages(DelayQueueAdmin admin) {

    private static final int LARGEST = 500;
    private static final int MOST_READS = 20;
    private static final long MOST_BYTES = 4L * 1024 * 1024;

    /** Maximum time for a page. The page then ends, even if it is not full. */
    static final Duration LONGEST = Duration.ofSeconds(2);

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

    /** Returns the number of shards that may have tasks. */
    int shards(String queue) {
        QueueSharding sharding = admin.sharding(queue);
        return Math.max(sharding.shards(), sharding.migratingFrom().orElse(0));
    }

    /** @param next start of the next page; null at the end */
    record Page(List<TaskView> tasks, @Nullable TaskPosition next) {}

    /** Tasks in order, whether or not they match. */
    record Batch(List<ListedTask> tasks, @Nullable TaskPosition next) {}

    /**
     * Reads a page. It ends when it is full, after two seconds, or after 20 reads of up to 500 tasks or 4 MiB of
     * payloads in total. Without an id prefix, each read visits no more tasks than it returns.
     *
     * @param newestFirst whether to sort dead tasks newest first; each order has its own positions
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
        boolean withContent = new FilterMatch(filter).readsHeaders();
        List<TaskView> found = new ArrayList<>();
        TaskPosition position = after;
        long begin = System.nanoTime();
        long bytes = 0;
        for (int reads = 0; reads < MOST_READS; reads++) {
            int room = size - found.size();
            Batch batch =
                    batch(queue, state, filter, newestFirst, withContent, readSize(state, filter, room), position);
            bytes += payloadBytes(batch);
            List<ListedTask> passed = passed(filter, state, batch);
            if (passed.size() > room) {
                // Reads again to end the page with the last task that fits.
                int last = batch.tasks().indexOf(passed.get(room - 1));
                batch = batch(queue, state, filter, newestFirst, withContent, 1 + last, position);
                passed = passed(filter, state, batch);
            }
            passed.forEach(task -> found.add(TaskView.of(task)));
            position = batch.next();
            boolean isLate = System.nanoTime() - begin >= LONGEST.toNanos();
            if (position == null || found.size() >= size || isLate || bytes >= MOST_BYTES) {
                break;
            }
        }
        return new Page(List.copyOf(found), position);
    }

    private static long payloadBytes(Batch batch) {
        return batch.tasks().stream()
                .flatMap(task -> task.content().stream())
                .mapToLong(content -> content.payload().length)
                .sum();
    }

    /** Returns whether a page may have to read many tasks that do not match. */
    static boolean isScan(TaskState state, TaskFilter filter) {
        boolean picks = picks(filter) || !filter.idPrefix().isEmpty();
        return switch (state) {
            case SCHEDULED -> picks;
            case LEASED -> true;
            case DEAD -> picks || filter.from() != null || filter.until() != null;
        };
    }

    private static boolean picks(TaskFilter filter) {
        FilterMatch match = new FilterMatch(filter);
        return filter.retrying() || match.looksAtReasons() || match.readsHeaders();
    }

    /** Returns how many tasks to read: only as many as fit on the page, if most tasks match. */
    private static int readSize(TaskState state, TaskFilter filter, int room) {
        boolean most =
                state == TaskState.DEAD ? !isScan(state, filter) : state == TaskState.SCHEDULED && !picks(filter);
        return most ? room : LARGEST;
    }

    /**
     * Reads the next live or dead tasks. Applies only the period of the filter, and for live tasks also the id prefix.
     *
     * @param state live or dead; the result may include tasks in another live state
     * @param withContent whether to read headers and payloads, which also limits the bytes of a batch
     */
    Batch batch(
            String queue,
            TaskState state,
            TaskFilter filter,
            boolean newestFirst,
            boolean withContent,
            int size,
            @Nullable TaskPosition after) {
        TaskQuery query = TaskQuery.first(size).after(after == null ? null : after.text());
        query = withContent ? query.includingContent() : query;
        boolean isDead = state == TaskState.DEAD;
        TaskPage<ListedTask> found = isDead
                ? admin.deadTasks(queue, newestFirst ? query.newestFirst() : query)
                : admin.liveTasks(
                        queue, query.between(filter.from(), filter.until()).withIdPrefix(filter.idPrefix()));
        TaskPosition next = found.position() == null ? null : TaskPosition.parse(found.position());
        return new Batch(found.content(), isDead && next != null ? behind(filter, newestFirst, next) : next);
    }

    /**
     * Skips dead tasks outside the period. In the order newest first, the first task before the period ends the list.
     * In the other order, each shard lists its dead tasks by time of death, followed by its quarantined tasks.
     */
    private static @Nullable TaskPosition behind(TaskFilter filter, boolean newestFirst, TaskPosition end) {
        Instant from = filter.from();
        Instant until = filter.until();
        if (newestFirst) {
            boolean isEarlier = from != null && end.moment().isBefore(from);
            return !isEarlier ? end : end.quarantined() ? TaskPosition.quarantine(0) : null;
        }
        if (until == null || end.moment().isBefore(until)) {
            return end;
        }
        return end.quarantined()
                ? new TaskPosition(end.shard() + 1, Instant.EPOCH, "")
                : TaskPosition.quarantine(end.shard());
    }

    private static List<ListedTask> passed(TaskFilter filter, TaskState state, Batch batch) {
        FilterMatch match = new FilterMatch(filter);
        return batch.tasks().stream()
                .filter(task -> task.state() == state && match.matches(task))
                .toList();
    }
}
