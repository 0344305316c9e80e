// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;

/**
 * A position among the live or dead tasks of a queue.
 *
 * @param shard number of a shard
 * @param at when a live task in it needs attention next, or when a dead task died
 * @param id id of that task, which may no longer exist; empty for the position before all tasks of the moment
 */
public record TaskPosition(int shard, Instant at, String id) {

    private static final Instant QUARANTINE = Instant.ofEpochMilli(1_000_000_000_000_000L);

    /** Returns the position before the quarantined tasks of a shard, which follow all other dead tasks. */
    public static TaskPosition quarantine(int shard) {
        return new TaskPosition(shard, QUARANTINE, "");
    }

    /**
     * Returns whether the position is among quarantined tasks. Then {@code at} includes the offset of quarantined
     * tasks.
     */
    // not a getter, because the JSON of a position has only its components
    public boolean quarantined() {
        return !at.isBefore(QUARANTINE);
    }

    /** Returns when the task at this position needs attention next, or died. */
    public Instant moment() {
        return quarantined() ? at.minusMillis(QUARANTINE.toEpochMilli()) : at;
    }
}
