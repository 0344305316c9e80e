// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * Which dead tasks of a shard to delete.
 *
 * @param retention those that died at least this long ago
 * @param limit maximum number of tasks to delete, 1 to {@link TaskStore#MAX_BATCH}
 */
public record TrimRequest(Duration retention, int limit) {

    public TrimRequest {
        TaskStore.checkBatch(limit);
    }
}
