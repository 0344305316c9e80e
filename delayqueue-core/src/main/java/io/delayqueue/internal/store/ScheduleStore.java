// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
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
     * @param mode which of the tasks are stored
     * @param leastToken the shard gives out higher fencing tokens from now on: the highest {@link
     *     ScheduleReply#lastToken()} of the shards that were asked before; 0 where there was none to ask
     * @param permit taken before anything is sent, at once by a store that sends at once; once it is withdrawn the call
     *     fails
     * @param tasks 1 to {@link TaskStore#MAX_BATCH}
     */
    CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard,
            LayoutVersion layout,
            ScheduleMode mode,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks);

    /** Stores tasks whatever the layout. */
    default CompletableFuture<List<ScheduleReply>> schedule(Shard shard, List<NewTask> tasks) {
        return schedule(shard, LayoutVersion.NONE, ScheduleMode.EACH, 0, new SendPermit(), tasks);
    }

    /**
     * Deletes a live task, and answers when so many replicas know, or after a time-out of the store's. That goes for
     * {@link CancelOutcome#NOT_FOUND} too: then they know that there is no such task. Fails with {@link
     * TaskMigratingException} for a task that is on its way to another shard.
     *
     * @param replicas 0 for none
     */
    CompletableFuture<Replicated<CancelOutcome>> cancel(Shard shard, LayoutVersion layout, String id, int replicas);

    /** Deletes a live task. */
    default CompletableFuture<CancelOutcome> cancel(Shard shard, LayoutVersion layout, String id) {
        return cancel(shard, layout, id, 0).thenApply(Replicated::answer);
    }

    /** Deletes a live task whatever the layout. */
    default CompletableFuture<CancelOutcome> cancel(Shard shard, String id) {
        return cancel(shard, LayoutVersion.NONE, id);
    }

    /**
     * Gives a live task another due time, and answers when so many replicas know, or after a time-out of the store's. Fails
     * with {@link TaskMigratingException} for a task that is on its way to another shard.
     *
     * @param replicas 0 for none
     */
    CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutVersion layout, String id, Due due, int replicas);

    /** Gives a live task another due time. */
    default CompletableFuture<RescheduleOutcome> reschedule(Shard shard, LayoutVersion layout, String id, Due due) {
        return reschedule(shard, layout, id, due, 0).thenApply(Replicated::answer);
    }

    /** Gives a live task another due time whatever the layout. */
    default CompletableFuture<RescheduleOutcome> reschedule(Shard shard, String id, Due due) {
        return reschedule(shard, LayoutVersion.NONE, id, due);
    }

    /**
     * Gives a waiting task another payload, with its type; its due time, other headers, attempts and task key stay. Answers
     * when so many replicas know, or after a time-out of the store's. Fails with {@link TaskMigratingException} for a task
     * that is on its way to another shard.
     *
     * @param replicas 0 for none
     */
    CompletableFuture<Replicated<UpdateOutcome>> update(
            Shard shard, LayoutVersion layout, String id, NewPayload payload, int replicas);

    /** Gives a waiting task another payload. */
    default CompletableFuture<UpdateOutcome> update(Shard shard, LayoutVersion layout, String id, NewPayload payload) {
        return update(shard, layout, id, payload, 0).thenApply(Replicated::answer);
    }

    /** Reads a task, live or dead. */
    CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutVersion layout, String id);

    /** Reads a task, live or dead, whatever the layout. */
    default CompletableFuture<Optional<StoredTask>> find(Shard shard, String id) {
        return find(shard, LayoutVersion.NONE, id);
    }
}
