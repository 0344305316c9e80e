// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;

/**
 * A place in a list of a shard's tasks, which is ordered by moments.
 *
 * @param at when a live task needs attention next, or when a dead one died
 * @param id that task, which may be gone by now; empty for a place before all tasks of the moment
 */
public record Position(Instant at, String id) {

    /** Before all tasks of this moment and later ones. */
    public static Position from(Instant at) {
        return new Position(at, "");
    }
}
