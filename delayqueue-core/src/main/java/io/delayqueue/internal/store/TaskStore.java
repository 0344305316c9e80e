// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.BoundedWait;
import java.time.Duration;
import java.time.Instant;
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

    /** What {@link #serverOf} answers where all shards are on one server. */
    String ONLY_SERVER = "";

    /**
     * Within which every call is answered or fails. Who waits for one gives up a quarter of a second later, see {@link
     * BoundedWait}. 2 s unless overridden, as the command time-out is.
     */
    default Duration callTimeout() {
        return Duration.ofSeconds(2);
    }

    /**
     * Names the server that holds a shard now, as far as is known: one that does not answer says nothing about shards of others.
     * Asked often, by any thread; does not block.
     */
    default String serverOf(Shard shard) {
        return ONLY_SERVER;
    }

    /**
     * Stores tasks whose ids differ. Answers in the order of the tasks. Where any of them asks for replicas, the answer comes
     * when as many as the one that asks for most have the tasks, or after a time-out of the store's; each reply says how many
     * do.
     *
     * @param layout what the caller goes by
     * @param onlyStored whether only ids are meant that are stored in the shard already
     * @param leastToken the shard gives out higher fencing tokens from now on: the highest {@link ScheduleReply#lastToken()} of
     *     the shards that were asked before; 0 where there was none to ask
     * @param tasks 1 to {@link #MAX_BATCH}
     */
    CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard, LayoutVersion layout, boolean onlyStored, long leastToken, List<NewTask> tasks);

    /**
     * The same, unless the caller has withdrawn the permit before anything is sent; then it fails.
     *
     * @param permit for a store that sends at once, taken at once
     */
    default CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard,
            LayoutVersion layout,
            boolean onlyStored,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks) {
        return permit.take()
                ? schedule(shard, layout, onlyStored, leastToken, tasks)
                : CompletableFuture.failedFuture(new TaskStoreTimeoutException(
                        "Shard " + shard + ": nobody waits for this call any longer; nothing was sent", false, null));
    }

    /** Stores tasks whatever the layout. */
    default CompletableFuture<List<ScheduleReply>> schedule(Shard shard, List<NewTask> tasks) {
        return schedule(shard, LayoutVersion.NONE, false, 0, tasks);
    }

    /**
     * Takes due tasks, lowest due time first, under a lease. An answer without tasks changes nothing, unless the answer to an
     * earlier call was lost: what that one took is given back first, as unused.
     */
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

    /** Deletes a live task. Fails with {@link TaskMigratingException} for one that is on its way to another shard. */
    CompletableFuture<CancelOutcome> cancel(Shard shard, LayoutVersion layout, String id);

    /**
     * Deletes a live task, and answers when so many replicas know, or after a time-out of the store's. That goes for
     * {@link CancelOutcome#NOT_FOUND} too: then they know that there is no such task.
     */
    CompletableFuture<Replicated<CancelOutcome>> cancel(Shard shard, LayoutVersion layout, String id, int replicas);

    /** Deletes a live task whatever the layout. */
    default CompletableFuture<CancelOutcome> cancel(Shard shard, String id) {
        return cancel(shard, LayoutVersion.NONE, id);
    }

    /**
     * Gives a live task another due time. Fails with {@link TaskMigratingException} for one that is on its way to another
     * shard.
     */
    CompletableFuture<RescheduleOutcome> reschedule(Shard shard, LayoutVersion layout, String id, DueTime due);

    /** Gives a live task another due time, and answers when so many replicas know, or after a time-out of the store's. */
    CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutVersion layout, String id, DueTime due, int replicas);

    /** Gives a live task another due time whatever the layout. */
    default CompletableFuture<RescheduleOutcome> reschedule(Shard shard, String id, DueTime due) {
        return reschedule(shard, LayoutVersion.NONE, id, due);
    }

    /** Reads a task, live or dead. */
    CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutVersion layout, String id);

    /** Reads a task, live or dead, whatever the layout. */
    default CompletableFuture<Optional<StoredTask>> find(Shard shard, String id) {
        return find(shard, LayoutVersion.NONE, id);
    }

    /** Counts the shard's tasks. */
    CompletableFuture<ShardStats> stats(Shard shard);

    /** Reads dead tasks, the longest dead first. An answer without tasks has none after it. */
    CompletableFuture<ShardDeadPage> deadPage(Shard shard, ShardDeadPageRequest request);

    /**
     * Makes dead tasks live again, their attempts forgotten. Paced ones are due one after the other, behind those that earlier
     * calls paced. Sent again after its answer was lost it finds the tasks live and changes nothing. Fails with
     * {@link TaskMigratingException} where one is on its way to another shard.
     */
    CompletableFuture<ShardRedrive> redrive(Shard shard, LayoutVersion layout, ShardRedriveRequest request);

    /** Makes dead tasks live again whatever the layout. */
    default CompletableFuture<ShardRedrive> redrive(Shard shard, ShardRedriveRequest request) {
        return redrive(shard, LayoutVersion.NONE, request);
    }

    /**
     * Deletes dead tasks. Answers in the order of the ids: true where the task was deleted, false where it is not dead and
     * nothing was changed. Fails with {@link TaskMigratingException} where one is on its way to another shard.
     *
     * @param ids 1 to {@link #MAX_BATCH}, all different
     */
    CompletableFuture<List<Boolean>> discard(Shard shard, LayoutVersion layout, List<String> ids);

    /** Deletes dead tasks whatever the layout. */
    default CompletableFuture<List<Boolean>> discard(Shard shard, List<String> ids) {
        return discard(shard, LayoutVersion.NONE, ids);
    }

    /** Deletes dead tasks that are too old. */
    CompletableFuture<DeadTrim> trimDead(Shard shard, TrimRequest request);

    /** Stops every process from acquiring tasks of the shard. Answers false if it was paused already. */
    CompletableFuture<Boolean> pause(Shard shard);

    /** Lets tasks of the shard be acquired again, and wakes the pollers. Answers false if it was not paused. */
    CompletableFuture<Boolean> resume(Shard shard);

    /**
     * Deletes tasks whatever their state; holders of their leases find their tokens stale.
     *
     * @param limit tasks at most, 1 to {@link #MAX_BATCH}
     */
    CompletableFuture<ShardPurge> purge(Shard shard, int limit);

    /**
     * Reads which tasks the shard holds, some at a time. One that is there from the first call to the last is answered at least
     * once.
     *
     * @param cursor {@link MigrationPage#START}, or what the page before gave
     * @param count about how many tasks to look at
     */
    CompletableFuture<MigrationPage> scanForMigration(Shard shard, LayoutVersion layout, String cursor, int count);

    /**
     * Holds tasks for a migration to another shard and reads them. Until the hold ends nobody acquires or changes them.
     *
     * @param ids 1 to {@link #MAX_BATCH}, all different
     * @param maxBytes stop after the task with which the stored bytes exceed this
     */
    CompletableFuture<MigrationHold> holdForMigration(
            Shard shard, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes);

    /**
     * Takes in tasks that another shard holds, as they were there. One that is here already stays if it has the same request
     * id, and gives way if not.
     *
     * @param before by the clock of this shard's server; from then on nothing is taken in
     * @param leastToken of the holds; this shard gives out higher fencing tokens from now on
     * @param tasks 1 to {@link #MAX_BATCH}, ids differ
     * @return whether it was in time
     */
    CompletableFuture<Boolean> takeIn(
            Shard shard, LayoutVersion layout, Instant before, long leastToken, List<MigrationHold.Item> tasks);

    /**
     * Ends holds. Answers in the order of the ids: false where the hold is no longer the caller's and nothing was changed.
     *
     * @param migrated whether another shard has taken the tasks in, so that they are deleted here; or else they stay
     * @param ids 1 to {@link #MAX_BATCH}, all different
     */
    CompletableFuture<List<Boolean>> endMigration(Shard shard, long token, boolean migrated, List<String> ids);

    /**
     * Lets the shard give out higher fencing tokens from now on than those of another one.
     *
     * @param leastToken the highest that the other one has given out; 0 to read only
     * @return the token that this one has given out last, or {@code leastToken} where that is higher; 0 for none
     */
    CompletableFuture<Long> raiseToken(Shard shard, long leastToken);

    /**
     * Whether tasks of the queue may have routing keys other than their ids: whether this was ever called to note it.
     *
     * @param note whether they may from now on
     */
    CompletableFuture<Boolean> usesRoutingKeys(String queue, boolean note);

    /** Throws IllegalArgumentException unless a call may carry this many tasks. */
    static void checkBatch(int tasks) {
        if (tasks < 1 || tasks > MAX_BATCH) {
            throw new IllegalArgumentException("A call carries 1 to " + MAX_BATCH + " tasks, but was given " + tasks);
        }
    }
}
