// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.admin.DeadTask;
import io.delayqueue.admin.DeadTaskPage;
import io.delayqueue.admin.DeadTaskPageRequest;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDeadPage;
import io.delayqueue.internal.store.ShardDeadPageRequest;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the dead tasks of a queue, one shard after the other. */
final class DeadTaskPages {

    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final TaskStore store;
    private final BoundedWait wait;

    DeadTaskPages(TaskStore store, BoundedWait wait) {
        this.store = store;
        this.wait = wait;
    }

    /** A page ends where a shard was not read to its end, or with the last shard. */
    DeadTaskPage read(List<Shard> shards, DeadTaskPageRequest request) {
        List<DeadTask> tasks = new ArrayList<>();
        DeadTaskPageRequest.Position after = request.after();
        int shard = (after == null) ? 0 : after.shard();
        while (shard < shards.size() && tasks.size() < request.size()) {
            ShardDeadPageRequest part = new ShardDeadPageRequest(
                    inShard(after, shard), request.size() - tasks.size(), request.withContent() ? MAX_BYTES : 0);
            ShardDeadPage page = wait.answer(
                    store.dead().page(shards.get(shard), part),
                    "Queue '" + shards.get(shard).queue() + "', dead tasks");
            for (StoredTask task : page.tasks()) {
                tasks.add(deadTask(shards.get(shard).queue(), task));
            }
            if (page.more()) {
                DeadTask last = tasks.get(tasks.size() - 1);
                return page(tasks, request, new DeadTaskPageRequest.Position(shard, last.diedAt(), last.id()));
            }
            shard++;
        }
        return page(
                tasks,
                request,
                shard < shards.size() ? new DeadTaskPageRequest.Position(shard, Instant.EPOCH, "") : null);
    }

    private static ShardDeadPageRequest.@Nullable Position inShard(
            DeadTaskPageRequest.@Nullable Position after, int shard) {
        return (after == null || after.shard() != shard || isBeginning(after))
                ? null
                : new ShardDeadPageRequest.Position(after.diedAt(), after.id());
    }

    /** Something else may have left a task there whose id is empty. */
    private static boolean isBeginning(DeadTaskPageRequest.Position position) {
        return position.id().isEmpty() && position.diedAt().equals(Instant.EPOCH);
    }

    private static DeadTaskPage page(
            List<DeadTask> tasks, DeadTaskPageRequest request, DeadTaskPageRequest.@Nullable Position next) {
        return new DeadTaskPage(
                List.copyOf(tasks),
                Optional.ofNullable(next)
                        .map(position -> new DeadTaskPageRequest(request.size(), request.withContent(), position)));
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
