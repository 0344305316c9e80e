// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request for a page of a list of a shard.
 *
 * @param after end of the previous page, or the position to start from
 * @param before end of the page, exclusive except for {@link TaskList#NEWEST}; null for no end
 * @param idPrefix prefix of the ids of the tasks; empty for all tasks
 * @param limit maximum number of tasks, 1 to {@link TaskStore#MAX_BATCH}
 * @param looks maximum number of tasks to examine, including those without the prefix; {@code limit} to {@link
 *     TaskStore#MAX_BATCH}
 * @param maxBytes maximum stored bytes of the tasks; the page ends with the task that exceeds it. 0 to read no content
 */
public record PageRequest(
        TaskList list, Position after, @Nullable Instant before, String idPrefix, int limit, int looks, int maxBytes) {

    private static final Position BEGINNING = Position.from(Instant.EPOCH);
    /** The lowest score of a quarantined task, as in the scripts. */
    private static final Instant QUARANTINE = Instant.ofEpochMilli(1_000_000_000_000_000L);

    /** The lists of a shard. */
    public enum TaskList {
        /** Live tasks, ordered by when they next need attention. */
        LIVE,
        /** Dead tasks, oldest death first. */
        DEAD,
        /** Dead tasks, newest death first, after all quarantined ones. */
        NEWEST
    }

    public static PageRequest live(int limit) {
        return new PageRequest(TaskList.LIVE, BEGINNING, null, "", limit, limit, 0);
    }

    public static PageRequest dead(int limit) {
        return new PageRequest(TaskList.DEAD, BEGINNING, null, "", limit, limit, 0);
    }

    /** Returns a request for the newest dead tasks. */
    public static PageRequest newest(int limit) {
        return new PageRequest(TaskList.NEWEST, BEGINNING, null, "", limit, limit, 0);
    }

    /** Returns a request for dead tasks that may be trimmed or forwarded, oldest first. Excludes quarantined tasks. */
    public static PageRequest droppable(int limit) {
        return dead(limit).before(QUARANTINE);
    }

    public PageRequest after(Position position) {
        return new PageRequest(list, position, before, idPrefix, limit, looks, maxBytes);
    }

    public PageRequest before(Instant moment) {
        return new PageRequest(list, after, moment, idPrefix, limit, looks, maxBytes);
    }

    public PageRequest withIdPrefix(String prefix, int mostLooks) {
        return new PageRequest(list, after, before, prefix, limit, mostLooks, maxBytes);
    }

    public PageRequest withContent(int mostBytes) {
        return new PageRequest(list, after, before, idPrefix, limit, looks, mostBytes);
    }
}
