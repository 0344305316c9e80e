// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * Which dead tasks of a shard are to live again, and when they are due.
 *
 * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
 * @param gapMicros between two due times; 0: all at once
 * @param notBeforeMicros for paced ones: none is due before, microseconds since the epoch
 */
public record ShardRedriveRequest(List<String> ids, long gapMicros, long notBeforeMicros) {

    public ShardRedriveRequest {
        TaskStore.checkBatch(ids.size());
    }

    /** Due at once. */
    public static ShardRedriveRequest now(List<String> ids) {
        return new ShardRedriveRequest(ids, 0, 0);
    }
}
