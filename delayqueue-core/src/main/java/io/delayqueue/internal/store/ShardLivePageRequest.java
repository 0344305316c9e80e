// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;

/**
 * Which live tasks of a shard to read.
 *
 * @param after where the page before ended, or where to begin
 * @param before the moment at which to end
 * @param idPrefix with which ids begin; empty for all
 * @param limit tasks at most, 1 to {@link TaskStore#MAX_BATCH}
 * @param looks tasks to look at at most, also those whose ids begin otherwise; at most {@link TaskStore#MAX_BATCH}
 */
public record ShardLivePageRequest(LivePosition after, Instant before, String idPrefix, int limit, int looks) {

    public ShardLivePageRequest {
        TaskStore.checkBatch(limit);
        TaskStore.checkBatch(looks);
    }
}
