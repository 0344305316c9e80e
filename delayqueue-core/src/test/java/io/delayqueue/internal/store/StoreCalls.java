// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls of tests on a store, without a sharding and without replicas. */
public final class StoreCalls {

    private StoreCalls() {}

    public static CompletableFuture<List<ScheduleReply>> schedule(TaskStore store, Shard shard, List<NewTask> tasks) {
        return store.tasks().schedule(shard, ShardingVersion.NONE, ScheduleMode.EACH, 0, new SendPermit(), tasks);
    }

    public static CompletableFuture<CancelOutcome> cancel(TaskStore store, Shard shard, String id) {
        return cancel(store, shard, ShardingVersion.NONE, id);
    }

    public static CompletableFuture<CancelOutcome> cancel(
            TaskStore store, Shard shard, ShardingVersion sharding, String id) {
        return store.tasks().cancel(shard, sharding, id, null, 0).thenApply(Replicated::answer);
    }

    public static CompletableFuture<RescheduleOutcome> reschedule(TaskStore store, Shard shard, String id, Due due) {
        return reschedule(store, shard, ShardingVersion.NONE, id, due);
    }

    public static CompletableFuture<RescheduleOutcome> reschedule(
            TaskStore store, Shard shard, ShardingVersion sharding, String id, Due due) {
        return store.tasks().reschedule(shard, sharding, id, due, null, 0).thenApply(Replicated::answer);
    }

    public static CompletableFuture<UpdateOutcome> update(
            TaskStore store, Shard shard, ShardingVersion sharding, String id, TaskUpdate update) {
        return store.tasks()
                .update(shard, sharding, id, update, Integer.MAX_VALUE, 0)
                .thenApply(Replicated::answer);
    }

    public static CompletableFuture<ShardGroupChange> change(
            TaskStore store, Shard shard, ShardingVersion sharding, GroupPosition position, GroupChange change) {
        return store.groups().change(shard, sharding, position, change, 0).thenApply(Replicated::answer);
    }

    public static CompletableFuture<ShardRedrive> redrive(TaskStore store, Shard shard, Map<String, Due> due) {
        return store.dead().redrive(shard, ShardingVersion.NONE, due, null);
    }

    /** Returns these tasks, due at once. */
    public static Map<String, Due> dueNow(List<String> ids) {
        Map<String, Due> due = new LinkedHashMap<>();
        ids.forEach(id -> due.put(id, Due.after(Duration.ZERO)));
        return due;
    }

    public static CompletableFuture<List<Boolean>> discard(TaskStore store, Shard shard, List<String> ids) {
        return store.dead().discard(shard, ShardingVersion.NONE, ids, null);
    }
}
