// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskOutcome;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;

/**
 * A task and where it goes.
 *
 * @param shard with whose tasks it shares calls
 * @param task the task
 */
record RoutedTask(Shard shard, NewTask task) {

    String id() {
        return task.id();
    }

    /**
     * What its caller is told when it is stored.
     *
     * @throws TaskNotReplicatedException if fewer replicas have the task than it asked for
     */
    ScheduleResult result(ScheduleReply reply) {
        if (reply.replicas() < task.replicas()) {
            throw new TaskNotReplicatedException(
                    shard.queue(), id(), reply.outcome(), task.replicas(), reply.replicas());
        }
        return new ScheduleResult(id(), reply.outcome(), reply.dueAt());
    }

    /** The same among others: one that too few replicas have is stored nevertheless. */
    TaskOutcome stored(ScheduleReply reply) {
        try {
            return new TaskOutcome(id(), result(reply), null);
        } catch (TaskNotReplicatedException ex) {
            return new TaskOutcome(id(), new ScheduleResult(id(), reply.outcome(), reply.dueAt()), ex);
        }
    }

    TaskOutcome failed(DelayQueueException failure) {
        return new TaskOutcome(id(), null, failure);
    }
}
