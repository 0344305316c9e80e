// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;

/**
 * A place among the live tasks of a shard, which stand in the order of their next moments of attention.
 *
 * @param at moment of a task, or where to begin
 * @param id its id, empty to begin; the task need not be there any more
 */
public record LivePosition(Instant at, String id) {

    /** Before all tasks of this moment and later ones. */
    public static LivePosition from(Instant at) {
        return new LivePosition(at, "");
    }
}
