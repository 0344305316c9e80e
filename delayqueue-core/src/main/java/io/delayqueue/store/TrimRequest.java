// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which dead tasks of a shard are to be deleted.
 *
 * @param retention those that died at least this long ago; null for none
 * @param cap those beyond this many, the longest dead first; null for none
 * @param limit tasks to delete at most, 1 to {@link TaskStore#MAX_BATCH}
 */
public record TrimRequest(
        @Nullable Duration retention, @Nullable Long cap, int limit) {

    public TrimRequest {
        TaskStore.checkBatch(limit);
    }
}
