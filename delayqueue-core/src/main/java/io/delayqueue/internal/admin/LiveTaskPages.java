// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.admin.LiveTask;
import io.delayqueue.admin.LiveTaskPage;
import io.delayqueue.admin.LiveTaskPageRequest;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.LivePosition;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardLivePage;
import io.delayqueue.internal.store.ShardLivePageRequest;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the live tasks of a queue, one shard after the other. */
final class LiveTaskPages {

    /** For one page, each of which looks at 500 tasks at most. */
    private static final int MOST_CALLS = 20;

    private final TaskStore store;
    private final BoundedWait wait;

    LiveTaskPages(TaskStore store, BoundedWait wait) {
        this.store = store;
        this.wait = wait;
    }

    /** A page ends when it is full, after so many calls, or with the last shard. */
    LiveTaskPage read(List<Shard> shards, LiveTaskPageRequest request) {
        List<LiveTask> tasks = new ArrayList<>();
        LiveTaskPageRequest.Position after = request.after();
        int shard = (after == null) ? 0 : after.shard();
        LivePosition position = (after == null || after.id().isEmpty())
                ? LivePosition.from(request.from())
                : new LivePosition(after.at(), after.id());
        for (int calls = 0; shard < shards.size() && tasks.size() < request.size() && calls < MOST_CALLS; calls++) {
            ShardLivePage page = read(shards.get(shard), position, request, request.size() - tasks.size());
            for (StoredTask task : page.tasks()) {
                tasks.add(liveTask(shards.get(shard).queue(), task));
            }
            LivePosition last = page.last();
            if (page.more() && last != null) {
                position = last;
            } else {
                shard++;
                position = LivePosition.from(request.from());
            }
        }
        return new LiveTaskPage(
                List.copyOf(tasks),
                shard < shards.size()
                        ? Optional.of(
                                request.after(new LiveTaskPageRequest.Position(shard, position.at(), position.id())))
                        : Optional.empty());
    }

    private ShardLivePage read(Shard shard, LivePosition after, LiveTaskPageRequest request, int limit) {
        return wait.answer(
                store.live()
                        .page(
                                shard,
                                new ShardLivePageRequest(
                                        after, request.until(), request.idPrefix(), limit, TaskStore.MAX_BATCH)),
                "Queue '" + shard.queue() + "', live tasks");
    }

    private static LiveTask liveTask(String queue, StoredTask task) {
        @Nullable String reason = task.lastReason();
        return new LiveTask(
                queue,
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                Optional.ofNullable(reason));
    }
}
