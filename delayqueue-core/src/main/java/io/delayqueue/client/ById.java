// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.store.LayoutStamp;
import io.delayqueue.store.Shard;
import java.util.concurrent.CompletableFuture;

/** A call on one task that is known by its id, and what its answers mean. */
interface ById<R> {

    /** Makes the call in one shard. */
    CompletableFuture<R> in(Shard shard, LayoutStamp layout);

    /** Whether the task was there. */
    boolean isFound(R answer);

    /** What to answer when the task was found twice, as after the death of a process that moved it. */
    R both(R first, R second);
}
