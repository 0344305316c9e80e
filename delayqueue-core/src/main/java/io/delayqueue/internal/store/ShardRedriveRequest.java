// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Which dead tasks of a shard are to live again, and when they are due.
 *
 * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
 * @param due of each
 */
public record ShardRedriveRequest(List<String> ids, List<Due> due) {

    public ShardRedriveRequest {
        TaskStore.checkBatch(ids.size());
        if (due.size() != ids.size()) {
            throw new IllegalArgumentException(ids.size() + " tasks have " + due.size() + " due times");
        }
    }

    /** Due at once. */
    public static ShardRedriveRequest now(List<String> ids) {
        return new ShardRedriveRequest(ids, Collections.nCopies(ids.size(), Due.after(Duration.ZERO)));
    }
}
