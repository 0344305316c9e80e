// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import java.util.concurrent.CompletableFuture;

/** A call on one task that is known by its id, and what its answers mean. */
public interface TaskCall<R> {

    /** Makes the call in one shard. */
    CompletableFuture<R> in(Shard shard, LayoutVersion layout);

    /** Whether the task was there. */
    boolean isFound(R answer);

    /** What to answer when the task was found twice, as after the death of a process that moved it. */
    R both(R first, R second);
}
