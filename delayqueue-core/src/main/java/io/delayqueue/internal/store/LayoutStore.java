// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Where the layouts of queues are recorded, and which process does what only one of a queue's has to do. Calls, threads
 * and failures are as those of {@link TaskStore}.
 */
public interface LayoutStore {

    /** Reads the recorded layout. */
    default CompletableFuture<LayoutRecord> layout(String queue) {
        return putLayout(queue, 0, 0, "");
    }

    /**
     * Records a change, as {@link #putLayout(String, long, long, String, boolean)}; the epoch is at least the store's
     * clock, so that no two changes have the same one.
     */
    default CompletableFuture<LayoutRecord> putLayout(
            String queue, long expectedEpoch, long leastEpoch, String change) {
        return putLayout(queue, expectedEpoch, leastEpoch, change, false);
    }

    /**
     * Records a layout, with an epoch higher than both given, unless another one is recorded than the caller knows.
     * Pollers of the queue are told.
     *
     * @param expectedEpoch of the layout that the caller knows to be recorded; 0 for none
     * @param leastEpoch an epoch that the new one has to exceed
     * @param change the layout in its stored form, without version and epoch; empty to read only
     * @param lost whether it was recorded before, or is the first one: its epoch is then no higher than it has to be,
     *     because a newer one may have been lost
     */
    CompletableFuture<LayoutRecord> putLayout(
            String queue, long expectedEpoch, long leastEpoch, String change, boolean lost);

    /**
     * Reads the newest layout that a caller went by in a shard.
     *
     * @return its stored form; empty if there was none
     */
    CompletableFuture<String> layoutSeen(Shard shard);

    /**
     * Asks to be the one process that lets the queue's tasks migrate, or to go on being it.
     *
     * @param owner names the process
     * @param time until another one may be it; zero to give it up
     * @return whether the caller is
     */
    CompletableFuture<Boolean> claimMigrator(String queue, String owner, Duration time);

    /**
     * Asks to be the one process that forwards the queue's dead tasks, or to go on being it.
     *
     * @param owner names the process
     * @param time until another one may be it; zero to give it up
     * @return whether the caller is
     */
    CompletableFuture<Boolean> claimForwarder(String queue, String owner, Duration time);
}
