// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The steps by which tasks migrate from shard to shard. Threads and failures as in {@link TaskStore}. */
public interface MigrationStore {

    /**
     * Reads which tasks the shard has, some at a time. One that is there from the first call to the last is answered at
     * least once.
     *
     * @param cursor {@link MigrationPage#START}, or what the page before gave
     * @param count about how many tasks to look at
     */
    CompletableFuture<MigrationPage> scan(Shard shard, LayoutVersion layout, String cursor, int count);

    /**
     * Holds tasks for a migration to another shard and reads them. Until the hold ends nobody acquires or changes them.
     *
     * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
     * @param maxBytes stop after the task with which the stored bytes exceed this
     */
    CompletableFuture<MigrationHold> hold(
            Shard shard, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes);

    /**
     * Takes in tasks that another shard holds, as they were there. One that is here already stays if it has the same
     * request id, and gives way if not.
     *
     * @param before by the clock of this shard's server; from then on nothing is taken in
     * @param leastToken of the holds; this shard gives out higher fencing tokens from now on
     * @param tasks 1 to {@link TaskStore#MAX_BATCH}, ids differ
     * @return whether it was in time
     */
    CompletableFuture<Boolean> takeIn(
            Shard shard, LayoutVersion layout, Instant before, long leastToken, List<MigrationHold.Item> tasks);

    /**
     * Ends holds. Answers in the order of the ids: false where the hold is no longer the caller's and nothing was
     * changed.
     *
     * @param migrated whether another shard has taken the tasks in, so that they are deleted here; or else they stay
     * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
     */
    CompletableFuture<List<Boolean>> end(Shard shard, long token, boolean migrated, List<String> ids);

    /**
     * Lets the shard give out higher fencing tokens from now on than those of another one.
     *
     * @param leastToken the highest that the other one has given out; 0 to read only
     * @return the token that this one has given out last, or {@code leastToken} where that is higher; 0 for none
     */
    CompletableFuture<Long> raiseToken(Shard shard, long leastToken);
}
