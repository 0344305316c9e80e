// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;

/**
 * A position in a list of a shard's tasks that is ordered by time.
 *
 * @param at the time when a live task next needs attention, or when a dead task died
 * @param id id of the task, which may no longer exist; empty for a position before all tasks of that time
 */
public record Position(Instant at, String id) {

    /** Returns the position before all tasks of this time. */
    public static Position from(Instant at) {
        return new Position(at, "");
    }
}
