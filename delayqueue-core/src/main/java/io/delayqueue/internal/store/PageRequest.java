// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for tasks of a list of a shard.
 *
 * @param list which one
 * @param after where the page before ended, or where to begin
 * @param before the moment at which to end; null for none
 * @param idPrefix only tasks whose ids begin so; empty for all
 * @param limit tasks at most, 1 to {@link TaskStore#MAX_BATCH}
 * @param looks tasks to look at at most, including those whose ids begin otherwise; {@code limit} to
 *     {@link TaskStore#MAX_BATCH}
 * @param maxBytes stop after the task with which the stored bytes exceed this; 0 to read no content
 */
public record PageRequest(
        TaskList list, Position after, @Nullable Instant before, String idPrefix, int limit, int looks, int maxBytes) {

    private static final Position BEGINNING = Position.from(Instant.EPOCH);
    /** Scores of quarantined tasks begin here, as the scripts write them. */
    private static final Instant QUARANTINE = Instant.ofEpochMilli(1_000_000_000_000_000L);

    public PageRequest {
        TaskStore.checkBatch(limit);
        TaskStore.checkBatch(looks);
    }

    /** The lists of a shard. */
    public enum TaskList {
        /** Live tasks by their next moments of attention. */
        LIVE,
        /** Dead tasks, the longest dead first. */
        DEAD
    }

    /** Asks for the first live tasks. */
    public static PageRequest live(int limit) {
        return new PageRequest(TaskList.LIVE, BEGINNING, null, "", limit, limit, 0);
    }

    /** Asks for the longest dead tasks. */
    public static PageRequest dead(int limit) {
        return new PageRequest(TaskList.DEAD, BEGINNING, null, "", limit, limit, 0);
    }

    /** Asks for the longest dead tasks that bounds may drop: no quarantined ones. */
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
