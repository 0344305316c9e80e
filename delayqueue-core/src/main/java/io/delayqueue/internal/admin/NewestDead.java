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
        List<Part> parts = new ArrayList<>();
        for (int shard = 0; shard < shards.size(); shard++) {
            parts.add(new Part(shard, page(shard, after, last)));
        }
        List<StoredTask> tasks = new ArrayList<>();
        Part newest = null;
        while (tasks.size() < query.size() && parts.stream().noneMatch(Part::isCut)) {
            Part next = parts.stream()
                    .filter(part -> !part.isEmpty())
                    .reduce((one, other) -> other.at().isAfter(one.at()) ? other : one)
                    .orElse(null);
            if (next == null) {
                return new Tasks(tasks, null);
            }
            tasks.add(next.take());
            newest = next;
        }
        boolean ended = parts.stream().allMatch(part -> part.isEmpty() && !part.isCut());
        return new Tasks(tasks, ended || newest == null ? null : newest.position(last != null));
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

    /** The tasks that were read from a shard and are not in the page yet. */
    private static final class Part {

        private final int shard;
        private final Page page;
        private int taken;

        Part(int shard, Page page) {
            this.shard = shard;
            this.page = page;
        }

        boolean isEmpty() {
            return taken == page.tasks().size();
        }

        /** Returns whether all tasks that were read are in the page and the shard has more. */
        boolean isCut() {
            return isEmpty() && page.next() != null;
        }

        Instant at() {
            return page.tasks().get(taken).nextAttentionAt();
        }

        StoredTask take() {
            return page.tasks().get(taken++);
        }

        /** Returns the position of the task that was last added to the page. */
        TaskPosition position(boolean isQuarantined) {
            StoredTask last = page.tasks().get(taken - 1);
            Instant at = last.nextAttentionAt();
            return new TaskPosition(
                    shard, isQuarantined ? at.plusMillis(BEFORE_QUARANTINE.at().toEpochMilli()) : at, last.id());
        }
    }
}
