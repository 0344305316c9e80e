// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.UpdateOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What callers do with tasks by their ids: store, cancel, reschedule, look up. Threads and failures as in {@link
 * TaskStore}.
 */
public interface ScheduleStore {

    /**
     * Stores tasks whose ids differ. Answers in the order of the tasks. Where any of them asks for replicas, the answer
     * comes when as many as the one that asks for most have the tasks, or after a time-out of the store's; each reply
     * says how many do.
     *
     * @param layout what the caller goes by
     * @param onlyStored whether only ids are meant that are stored in the shard already
     * @param leastToken the shard gives out higher fencing tokens from now on: the highest {@link
     *     ScheduleReply#lastToken()} of the shards that were asked before; 0 where there was none to ask
     * @param permit taken before anything is sent, at once by a store that sends at once; once it is withdrawn the call
     *     fails
     * @param tasks 1 to {@link TaskStore#MAX_BATCH}
     */
    CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard,
            LayoutVersion layout,
            boolean onlyStored,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks);

    /** Stores tasks whatever the layout. */
    default CompletableFuture<List<ScheduleReply>> schedule(Shard shard, List<NewTask> tasks) {
        return schedule(shard, LayoutVersion.NONE, false, 0, new SendPermit(), tasks);
    }

    /**
     * Stores all of the tasks or none: where one of them is kept by its policy, or is migrating, the others answer
     * {@link ScheduleReply#LEFT_OUT}. Sent again after its answer was lost it answers as the first time, unless tasks
     * of it were delivered or deleted meanwhile: those are stored again. Replicas are those of {@link #schedule}.
     *
     * @param layout what the caller goes by
     * @param permit as for {@link #schedule}
     * @param tasks 1 to {@link TaskStore#MAX_BATCH}, ids differ
     */
    CompletableFuture<List<ScheduleReply>> scheduleTogether(
            Shard shard, LayoutVersion layout, SendPermit permit, List<NewTask> tasks);

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
     * Gives a live task another due time. Fails with {@link TaskMigratingException} for one that is on its way to
     * another shard.
     */
    CompletableFuture<RescheduleOutcome> reschedule(Shard shard, LayoutVersion layout, String id, DueTime due);

    /**
     * Gives a live task another due time, and answers when so many replicas know, or after a time-out of the store's.
     */
    CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutVersion layout, String id, DueTime due, int replicas);

    /** Gives a live task another due time whatever the layout. */
    default CompletableFuture<RescheduleOutcome> reschedule(Shard shard, String id, DueTime due) {
        return reschedule(shard, LayoutVersion.NONE, id, due);
    }

    /**
     * Gives a waiting task another payload, with its type; its due time, other headers, attempts and task key stay.
     * Fails with {@link TaskMigratingException} for one that is on its way to another shard.
     */
    CompletableFuture<UpdateOutcome> update(Shard shard, LayoutVersion layout, String id, NewPayload payload);

    /** Gives a waiting task another payload, and answers when so many replicas know, or after a time-out of the store's. */
    CompletableFuture<Replicated<UpdateOutcome>> update(
            Shard shard, LayoutVersion layout, String id, NewPayload payload, int replicas);

    /** Reads a task, live or dead. */
    CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutVersion layout, String id);

    /** Reads a task, live or dead, whatever the layout. */
    default CompletableFuture<Optional<StoredTask>> find(Shard shard, String id) {
        return find(shard, LayoutVersion.NONE, id);
    }
}
