// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;

/**
 * Which waiting tasks of a shard to act on.
 *
 * @param before their next moments of attention are before this
 * @param after where the call before ended, or where to begin
 * @param limit tasks to look at at most, 1 to {@link TaskStore#MAX_BATCH}
 */
public record WaitingTasks(Instant before, LivePosition after, int limit) {

    public WaitingTasks {
        TaskStore.checkBatch(limit);
    }
}
