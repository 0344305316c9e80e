// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * Which dead tasks of a shard are to be deleted.
 *
 * @param retention those that died at least this long ago
 * @param limit tasks to delete at most, 1 to {@link TaskStore#MAX_BATCH}
 */
public record TrimRequest(Duration retention, int limit) {

    public TrimRequest {
        TaskStore.checkBatch(limit);
    }
}
