// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Leases on due tasks: taken, renewed and ended. Threads and failures as in {@link TaskStore}. */
public interface LeaseStore {

    /**
     * Takes due tasks, lowest due time first, under a lease. An answer without tasks changes nothing, unless the answer
     * to an earlier call was lost: what that one took is given back first, as unused.
     */
    CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request);

    /**
     * Ends leases. Answers in the order of the settlements: true where the lease was settled, false where its token is
     * not the stored one and nothing was changed.
     *
     * @param settlements 1 to {@link TaskStore#MAX_BATCH}, ids differ
     */
    CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements);

    /** Gives leases back unused: due at once, no attempt counted. Answers like {@link #settle}. */
    CompletableFuture<List<Boolean>> release(Shard shard, List<LeaseRef> leases);

    /** Puts off the end of leases to {@code lease} from now; none is shortened. Answers in the order of the leases. */
    CompletableFuture<List<Renewal>> renew(Shard shard, List<LeaseRef> leases, Duration lease);
}
