// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.BatchRefusedException;
import io.delayqueue.InvalidBatchException;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Schedules batches of which all tasks are stored or none, with one script call on one shard. */
final class TogetherScheduler {

    private final ShardedTasks shardedTasks;
    private final BoundedWait wait;

    TogetherScheduler(ShardedTasks shardedTasks, BoundedWait wait) {
        this.shardedTasks = shardedTasks;
        this.wait = wait;
    }

    /**
     * Waits for the answer.
     *
     * @param batch at least one
     * @throws BatchRefusedException if one of the tasks was kept out, so that none is stored
     * @throws InvalidBatchException if they cannot be stored by one call
     */
    List<ScheduleResult> schedule(List<RoutedTask> batch) {
        String queue = batch.get(0).shard().queue();
        List<NewTask> tasks = batch.stream().map(RoutedTask::task).toList();
        check(queue, batch);
        SendPermit permit = new SendPermit();
        List<ScheduleReply> replies = wait.answer(
                shardedTasks.scheduleTogether(queue, tasks, permit), () -> late(queue, tasks.size(), permit));
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            ScheduleReply reply = replies.get(i);
            if (reply.state() == ScheduleReply.State.DONE && reply.outcome() == ScheduleOutcome.KEPT) {
                kept.add(batch.get(i).id());
            }
        }
        if (!kept.isEmpty()) {
            throw new BatchRefusedException(queue, kept);
        }
        List<ScheduleResult> results = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            results.add(batch.get(i).result(replies.get(i)));
        }
        return results;
    }

    private static TaskStoreTimeoutException late(String queue, int tasks, SendPermit permit) {
        boolean neverSent = permit.withdraw();
        permit.end();
        return new TaskStoreTimeoutException(
                "Queue '" + queue + "', schedule " + tasks
                        + " tasks together: no answer in time (delayqueue.redis.command-timeout); "
                        + (neverSent ? "none was sent" : "the call may or may not have run"),
                !neverSent,
                permit.reason());
    }

    private static void check(String queue, List<RoutedTask> batch) {
        if (batch.size() > TaskStore.MAX_BATCH) {
            throw new InvalidBatchException("Queue '" + queue + "': " + batch.size() + " tasks cannot be scheduled"
                    + " together; " + TaskStore.MAX_BATCH + " are the most. Use scheduleAll for more");
        }
        String key = shardKey(batch.get(0));
        Set<String> ids = new HashSet<>();
        for (RoutedTask routed : batch) {
            if (!routed.shard().queue().equals(queue) || !shardKey(routed).equals(key)) {
                throw new InvalidBatchException("Queue '" + queue + "', task '" + routed.id() + "': tasks that are"
                        + " scheduled together are of one queue and have one shard key, so that they are in one"
                        + " shard; give all of the batch the same");
            }
            if (!ids.add(routed.id())) {
                throw new InvalidBatchException("Queue '" + queue + "', task '" + routed.id() + "': two tasks that are"
                        + " scheduled together have this id");
            }
        }
    }

    private static String shardKey(RoutedTask routed) {
        return TaskIds.shardKeyOf(routed.task().shardKey());
    }
}
