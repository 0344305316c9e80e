// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.admin.DeadTask;
import io.delayqueue.admin.DeadTaskPage;
import io.delayqueue.admin.DeadTaskPageRequest;
import io.delayqueue.admin.LiveTask;
import io.delayqueue.admin.LiveTaskPage;
import io.delayqueue.admin.LiveTaskPageRequest;
import io.delayqueue.admin.TaskPosition;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads pages of a queue's live and dead tasks, one shard after the other. */
final class TaskPages {

    /** Per page; each reads at most 500 tasks. */
    private static final int MOST_CALLS = 20;

    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final TaskStore store;
    private final BoundedWait wait;

    TaskPages(TaskStore store, BoundedWait wait) {
        this.store = store;
        this.wait = wait;
    }

    LiveTaskPage live(String queue, List<Shard> shards, LiveTaskPageRequest request) {
        Tasks found = read(
                shards,
                request.after(),
                request.from(),
                request.size(),
                limit -> PageRequest.live(limit)
                        .before(request.until())
                        .withIdPrefix(request.idPrefix(), TaskStore.MAX_BATCH));
        return new LiveTaskPage(
                found.tasks.stream().map(task -> liveTask(queue, task)).toList(),
                Optional.ofNullable(found.next).map(request::after));
    }

    DeadTaskPage dead(String queue, List<Shard> shards, DeadTaskPageRequest request) {
        int maxBytes = request.withContent() ? MAX_BYTES : 0;
        Tasks found = read(
                shards,
                request.after(),
                Instant.EPOCH,
                request.size(),
                limit -> PageRequest.dead(limit).withContent(maxBytes));
        return new DeadTaskPage(
                found.tasks.stream().map(task -> deadTask(queue, task)).toList(),
                Optional.ofNullable(found.next).map(request::after));
    }

    /**
     * Reads until the page is full, the calls are used up, or the contents of a shard were too large for one reply.
     *
     * @param from start in each shard
     * @param request requests a number of tasks from a shard
     */
    private Tasks read(
            List<Shard> shards,
            @Nullable TaskPosition after,
            Instant from,
            int size,
            IntFunction<PageRequest> request) {
        List<StoredTask> tasks = new ArrayList<>();
        int shard = (after == null) ? 0 : after.shard();
        Position position = (after == null || after.at().isBefore(from))
                ? Position.from(from)
                : new Position(after.at(), after.id());
        boolean isTooLarge = false;
        for (int calls = 0;
                shard < shards.size() && tasks.size() < size && calls < MOST_CALLS && !isTooLarge;
                calls++) {
            PageRequest part = request.apply(size - tasks.size()).after(position);
            Page page = wait.answer(
                    store.shards().page(shards.get(shard), part),
                    "Queue '" + shards.get(shard).queue() + "', tasks");
            tasks.addAll(page.tasks());
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

    private record Tasks(List<StoredTask> tasks, @Nullable TaskPosition next) {}

    private static LiveTask liveTask(String queue, StoredTask task) {
        return new LiveTask(
                queue,
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                Optional.ofNullable(task.lastReason()));
    }

    private static DeadTask deadTask(String queue, StoredTask task) {
        TaskContent content = task.content();
        return new DeadTask(
                queue,
                task.id(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                Optional.ofNullable(task.lastReason()),
                content == null
                        ? Optional.empty()
                        : Optional.of(
                                new DeadTask.Content(content.contentType(), content.headers(), content.payload())));
    }
}
