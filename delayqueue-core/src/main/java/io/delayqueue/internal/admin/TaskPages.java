// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskPage;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.StoredTaskView;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads pages of a queue's live and dead tasks, one shard after the other. */
record TaskPages(TaskStore store, BoundedWait waiting) {

    /** Maximum number of calls per page. Each call reads at most 500 tasks. */
    private static final int MOST_CALLS = 20;

    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    TaskPage<ListedTask> live(String queue, List<Shard> shards, TaskQuery query) {
        if (query.isNewestFirst()) {
            throw new IllegalArgumentException("Queue '" + queue
                    + "': live tasks are read in the order of their next attempt. Leave out newestFirst()");
        }
        Instant until = within(query.until(), END);
        return page(
                queue,
                read(
                        shards,
                        query,
                        within(query.from(), Instant.EPOCH),
                        limit -> PageRequest.live(limit)
                                .before(until)
                                .withIdPrefix(query.idPrefix(), TaskStore.MAX_BATCH)
                                .withContent(query.withContent() ? MAX_BYTES : 0)));
    }

    /** Limits a time to the range of due times and rounds it up to whole milliseconds, as in positions. */
    private static Instant within(@Nullable Instant exact, Instant otherwise) {
        if (exact == null || exact.isBefore(Instant.EPOCH)) {
            return exact == null ? otherwise : Instant.EPOCH;
        }
        return exact.isBefore(END) ? exact.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS) : END;
    }

    TaskPage<ListedTask> dead(String queue, List<Shard> shards, TaskQuery query) {
        if (query.from() != null || query.until() != null || !query.idPrefix().isEmpty()) {
            throw new IllegalArgumentException("Queue '" + queue
                    + "': a query for dead tasks cannot have conditions. Remove them, and filter the returned tasks");
        }
        int maxBytes = query.withContent() ? MAX_BYTES : 0;
        if (query.isNewestFirst()) {
            return page(queue, new NewestDead(store, waiting, shards, query, maxBytes / shards.size()).read());
        }
        return page(
                queue,
                read(
                        shards,
                        query,
                        Instant.EPOCH,
                        limit -> PageRequest.dead(limit).withContent(maxBytes)));
    }

    private static TaskPage<ListedTask> page(String queue, Tasks found) {
        return new TaskPage<>(
                found.tasks.stream()
                        .<ListedTask>map(task -> new StoredTaskView.Listed(queue, task))
                        .toList(),
                found.next == null ? null : found.next.text());
    }

    /**
     * Reads until the page is full, no calls are left, or the contents of a shard were too large for one reply.
     *
     * @param from where to start reading in each shard
     * @param request creates the request for a number of tasks of a shard
     */
    private Tasks read(List<Shard> shards, TaskQuery query, Instant from, IntFunction<PageRequest> request) {
        TaskPosition after = query.position() == null ? null : TaskPosition.parse(query.position());
        int size = query.size();
        List<StoredTask> tasks = new ArrayList<>();
        int shard = (after == null) ? 0 : after.shard();
        Position position = (after == null || after.at().isBefore(from))
                ? Position.from(from)
                : new Position(after.at(), after.id());
        boolean isTooLarge = false;
        int bytes = 0;
        for (int calls = 0;
                shard < shards.size() && tasks.size() < size && calls < MOST_CALLS && !isTooLarge;
                calls++) {
            PageRequest part = request.apply(size - tasks.size()).after(position);
            if (part.maxBytes() > 0) {
                part = part.withContent(Math.max(1, part.maxBytes() - bytes));
            }
            Page page = waiting.answer(
                    store.shards().page(shards.get(shard), part),
                    "Queue '" + shards.get(shard).queue() + "', tasks");
            tasks.addAll(page.tasks());
            bytes += contentBytes(page.tasks());
            Position next = page.next();
            if (next == null) {
                shard++;
                position = Position.from(from);
            } else {
                position = next;
                isTooLarge = part.maxBytes() > 0;
            }
        }
        return new Tasks(tasks, shard < shards.size() ? new TaskPosition(shard, position.at(), position.id()) : null);
    }

    private static int contentBytes(List<StoredTask> tasks) {
        return tasks.stream()
                .map(StoredTask::content)
                .filter(Objects::nonNull)
                .mapToInt(content -> content.payload().length)
                .sum();
    }

    /** @param next start of the next page; null at the end */
    record Tasks(List<StoredTask> tasks, @Nullable TaskPosition next) {}
}
