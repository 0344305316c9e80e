// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which dead tasks of a shard to read.
 *
 * @param after where the page before ended; null for the first
 * @param limit tasks at most, 1 to {@link TaskStore#MAX_BATCH}
 * @param maxBytes stop after the task with which the stored bytes exceed this; 0 to read none of them
 */
public record ShardDeadPageRequest(@Nullable Position after, int limit, int maxBytes) {

    public ShardDeadPageRequest {
        TaskStore.checkBatch(limit);
    }

    /**
     * A place among the dead tasks of a shard: the longest dead come first.
     *
     * @param diedAt time of death of a task
     * @param id its id; the task need not be there any more
     */
    public record Position(Instant diedAt, String id) {}
}
