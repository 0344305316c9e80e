// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.admin.TaskQuery;
import io.delayqueue.internal.admin.TaskPages.Tasks;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page of the dead tasks of all shards. Orders them by time of death, newest first, and within a millisecond by
 * shard. Quarantined tasks come before all others, because their scores are higher.
 *
 * @param maxBytes maximum size of the contents of a shard; 0 to read none
 */
record NewestDead(TaskStore store, BoundedWait waiting, List<Shard> shards, TaskQuery query, int maxBytes) {

    private static final Position TOP = Position.from(Instant.EPOCH);
    private static final TaskPosition BEFORE_QUARANTINE = TaskPosition.quarantine(0);

    /** Number of tasks to read from each shard beyond its share, because deaths are not spread evenly. */
    private static final int SPARE = 10;

    Tasks read() {
        String text = query.position();
        TaskPosition after = text == null ? null : TaskPosition.parse(text);
        if (after == null || after.quarantined()) {
            Tasks quarantined = merged(after, BEFORE_QUARANTINE.at());
            if (!quarantined.tasks().isEmpty()) {
                return quarantined.next() == null ? new Tasks(quarantined.tasks(), BEFORE_QUARANTINE) : quarantined;
            }
            after = BEFORE_QUARANTINE;
        }
        return merged(after, null);
    }

    /** @param last the earliest time of death to list; null for no limit */
    private Tasks merged(@Nullable TaskPosition after, @Nullable Instant last) {
        List<Dead> read = new ArrayList<>();
        for (int shard = 0; shard < shards.size(); shard++) {
            Page page = page(shard, after, last);
            for (StoredTask task : page.tasks()) {
                read.add(new Dead(shard, task, page));
            }
        }
        // The sort is stable: tasks of the same millisecond stay in the order of their shards.
        read.sort(Comparator.comparing(Dead::at).reversed());
        List<StoredTask> tasks = new ArrayList<>();
        for (Dead next : read) {
            tasks.add(next.task);
            boolean isFull = tasks.size() == query.size() && tasks.size() < read.size();
            if (isFull || next.isBeforeUnread()) {
                return new Tasks(tasks, next.position(last != null));
            }
        }
        return new Tasks(tasks, null);
    }

    private Page page(int shard, @Nullable TaskPosition after, @Nullable Instant last) {
        Position position = position(shard, after);
        if (position == null) {
            return new Page(List.of(), null);
        }
        int share = 2 * query.size() / shards.size() + SPARE;
        PageRequest request = PageRequest.newest(Math.min(query.size(), share))
                .after(position)
                .withContent(query.withContent() ? Math.max(1, maxBytes) : 0);
        return waiting.answer(
                store.shards().page(shards.get(shard), last == null ? request : request.before(last)),
                "Queue '" + shards.get(shard).queue() + "', tasks");
    }

    /** Returns the position to continue from in a shard; null at its end. */
    private static @Nullable Position position(int shard, @Nullable TaskPosition after) {
        if (after == null) {
            return TOP;
        }
        boolean isPlace = after.id().isEmpty();
        if (shard == after.shard() && !isPlace) {
            return new Position(after.at(), after.id());
        }
        Position before = Position.from(
                isPlace || shard < after.shard() ? after.at() : after.at().plusMillis(1));
        return before.equals(TOP) ? null : before;
    }

    /** A task with the page of its shard. */
    private record Dead(int shard, StoredTask task, Page page) {

        Instant at() {
            return task.nextAttentionAt();
        }

        /** Returns whether the shard has more tasks, of which the next one was not read. */
        boolean isBeforeUnread() {
            return page.next() != null && task == page.tasks().get(page.tasks().size() - 1);
        }

        TaskPosition position(boolean isQuarantined) {
            Instant at = isQuarantined ? at().plusMillis(BEFORE_QUARANTINE.at().toEpochMilli()) : at();
            return new TaskPosition(shard, at, task.id());
        }
    }
}
