// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.BatchRefusedException;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A batch that one script call stores in one shard, all tasks or none.
 *
 * @param batch the tasks, at least one
 */
record AllOrNone(String queue, List<TaskChange.Schedule> batch) {

    /** @throws InvalidTaskException if one call cannot store the tasks */
    static AllOrNone of(List<TaskChange.Schedule> batch) {
        String queue = batch.get(0).queue();
        if (batch.size() > TaskStore.MAX_BATCH) {
            throw new InvalidTaskException("Queue '" + queue + "': " + batch.size() + " tasks cannot be scheduled"
                    + " together; " + TaskStore.MAX_BATCH + " is the maximum. Use scheduleAll for more");
        }
        String home = home(batch.get(0));
        Set<String> ids = new HashSet<>();
        for (TaskChange.Schedule change : batch) {
            if (!change.queue().equals(queue) || !home(change).equals(home)) {
                throw new InvalidTaskException("Queue '" + queue + "', task '" + change.id() + "': tasks that are "
                        + "scheduled together must be in one shard. Give all of them the same queue and the same key "
                        + "or group");
            }
            if (!ids.add(change.id())) {
                throw new InvalidTaskException("Queue '" + queue + "', task '" + change.id()
                        + "': two tasks of the batch have this id. " + "Remove one of them");
            }
        }
        return new AllOrNone(queue, batch);
    }

    private static String home(TaskChange.Schedule change) {
        return TaskIds.homeOf(change.task().id());
    }

    /**
     * Sends the batch and waits for the reply.
     *
     * @throws BatchRefusedException if an existing task was kept, so that none is stored
     */
    List<ScheduleResult> send(ShardedTasks shardedTasks, BoundedWait wait) {
        SendPermit permit = new SendPermit();
        List<ScheduleReply> replies = wait.answer(
                shardedTasks.scheduleTogether(
                        queue, batch.stream().map(TaskChange.Schedule::task).toList(), permit),
                () -> late(permit));
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

    private TaskStoreTimeoutException late(SendPermit permit) {
        boolean neverSent = permit.withdraw();
        permit.end();
        return new TaskStoreTimeoutException(
                "Queue '" + queue + "': " + batch.size()
                        + " tasks could not be scheduled together: no reply in time (delayqueue.redis.command-timeout); "
                        + (neverSent ? "none was sent" : "the call may or may not have run"),
                !neverSent,
                permit.reason());
    }
}
