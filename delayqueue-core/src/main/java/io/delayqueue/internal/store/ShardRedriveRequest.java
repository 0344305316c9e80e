// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * The dead tasks of a shard to redrive, with their due times.
 *
 * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
 * @param due due time of each
 */
public record ShardRedriveRequest(List<String> ids, List<Due> due) {

    public ShardRedriveRequest {
        TaskStore.checkBatch(ids.size());
        if (due.size() != ids.size()) {
            throw new IllegalArgumentException(ids.size() + " tasks but " + due.size() + " due times");
        }
    }

    /** Returns a request with tasks that are due at once. */
    public static ShardRedriveRequest now(List<String> ids) {
        return new ShardRedriveRequest(ids, Collections.nCopies(ids.size(), Due.after(Duration.ZERO)));
    }
}
