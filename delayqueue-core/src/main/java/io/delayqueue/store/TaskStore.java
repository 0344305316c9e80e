// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.store;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where tasks are kept. One method per script; each call is atomic and touches one shard.
 *
 * <p>Every method is safe to call from many threads, does not block, and may be sent again when its answer was lost. A
 * future that fails does so with a {@link io.delayqueue.TaskStoreException}, within the command time-out. Futures complete
 * on a thread of the driver: dependents must neither block nor run user code there.
 */
public interface TaskStore {

    /** The most tasks that one call may carry. */
    int MAX_BATCH = 500;

    /**
     * Stores tasks whose ids differ. Answers in the order of the tasks.
     *
     * @param tasks 1 to {@link #MAX_BATCH}
     */
    CompletableFuture<List<ScheduleReply>> schedule(Shard shard, List<NewTask> tasks);

    /** Takes due tasks, lowest due time first, under a lease. An answer without tasks changes nothing. */
    CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request);

    /**
     * Ends leases. Answers in the order of the settlements: true where the lease was settled, false where its token is
     * not the stored one and nothing was changed.
     *
     * @param settlements 1 to {@link #MAX_BATCH}, ids differ
     */
    CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements);

    /** Gives leases back unused: due at once, no attempt counted. Answers like {@link #settle}. */
    CompletableFuture<List<Boolean>> release(Shard shard, List<LeaseRef> leases);

    /**
     * Puts off the end of leases to {@code lease} from now; none is shortened. Answers like {@link #settle}: false where the
     * lease is no longer the caller's.
     */
    CompletableFuture<List<Boolean>> renew(Shard shard, List<LeaseRef> leases, Duration lease);

    /** Deletes a live task. */
    CompletableFuture<CancelOutcome> cancel(Shard shard, String id);

    /** Moves a live task to another due time. */
    CompletableFuture<RescheduleOutcome> reschedule(Shard shard, String id, DueTime due);

    /** Reads a task, live or dead. */
    CompletableFuture<Optional<StoredTask>> find(Shard shard, String id);

    /** Counts the shard's tasks. */
    CompletableFuture<ShardStats> stats(Shard shard);
}
