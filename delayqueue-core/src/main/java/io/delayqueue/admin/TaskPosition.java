// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;

/**
 * A place among the live or the dead tasks of a queue.
 *
 * @param shard number of a shard
 * @param at when a live task in it needs attention next, or when a dead one died
 * @param id id of that task, which may be gone by now; empty for a place before all tasks of the moment
 */
public record TaskPosition(int shard, Instant at, String id) {

    private static final Instant QUARANTINE = Instant.ofEpochMilli(1_000_000_000_000_000L);

    /** Returns the place before the quarantined tasks of a shard, which come after all other dead ones. */
    public static TaskPosition quarantine(int shard) {
        return new TaskPosition(shard, QUARANTINE, "");
    }

    /** Returns whether the place is among quarantined tasks. Then {@code at} is as much later as the first of such places. */
    // no getter: positions are written as JSON by their components
    public boolean quarantined() {
        return !at.isBefore(QUARANTINE);
    }

    /** Returns when the task at this place needs attention next, or died. */
    public Instant moment() {
        return quarantined() ? at.minusMillis(QUARANTINE.toEpochMilli()) : at;
    }
}
