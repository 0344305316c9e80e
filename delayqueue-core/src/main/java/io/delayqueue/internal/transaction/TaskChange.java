// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.GroupResult;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import java.time.Instant;
import java.util.Locale;

/**
 * A checked and encoded call that changes a task, to be made later. Immutable, and nothing of it can be refused for its form.
 *
 * @param <O> what the call answers when it is made
 */
public sealed interface TaskChange<O> {

    String queue();

    /** The task's; for a group the beginning of the ids of its tasks. */
    String id();

    /** That are to have the change before the call is answered; 0 for none. */
    int replicas();

    /** Returns what it does, in one word for messages. */
    String verb();

    /**
     * Returns what the caller is told while the call waits for the commit of a transaction.
     *
     * @param now by the clock of the queues
     */
    O deferred(Instant now);

    /** Returns the beginning of a message: names the queue, the verb and the id. */
    default String what() {
        return "Queue '" + queue() + "', " + verb() + " '" + id() + "'";
    }

    /** Stores a task; a relative due time is counted from when this is carried out. */
    record Schedule(String queue, NewTask task) implements TaskChange<ScheduleResult> {

        @Override
        public String id() {
            return task.id();
        }

        @Override
        public int replicas() {
            return task.replicas();
        }

        /**
         * Returns what the caller is told when the task is stored.
         *
         * @throws TaskNotReplicatedException if fewer replicas have the task than it asks for
         */
        public ScheduleResult result(ScheduleReply reply) {
            if (reply.replicas() < replicas()) {
                throw new TaskNotReplicatedException(queue, id(), reply.outcome(), replicas(), reply.replicas());
            }
            return new ScheduleResult(id(), reply.outcome(), reply.dueAt());
        }

        @Override
        public String verb() {
            return "schedule";
        }

        @Override
        public ScheduleResult deferred(Instant now) {
            Due due = task.due();
            long from = due.relative() ? now.toEpochMilli() : 0;
            return new ScheduleResult(id(), ScheduleOutcome.DEFERRED, Instant.ofEpochMilli(from + due.millis()));
        }
    }

    /** Deletes a task, live or dead. */
    record Cancel(String queue, String id, int replicas) implements TaskChange<CancelOutcome> {

        @Override
        public String verb() {
            return "cancel";
        }

        @Override
        public CancelOutcome deferred(Instant now) {
            return CancelOutcome.DEFERRED;
        }
    }

    /** Gives a live task another due time; a relative one is counted from when this is carried out. */
    record Reschedule(String queue, String id, Due due, int replicas) implements TaskChange<RescheduleOutcome> {

        @Override
        public String verb() {
            return "reschedule";
        }

        @Override
        public RescheduleOutcome deferred(Instant now) {
            return RescheduleOutcome.DEFERRED;
        }
    }

    /**
     * Changes all live tasks of a group; a cancel also discards its dead ones.
     *
     * @param id the beginning of all ids of the group, which is the id of no task
     */
    record ChangeGroup(String queue, String id, GroupOperation operation, int replicas)
            implements TaskChange<GroupResult> {

        @Override
        public String verb() {
            return operation.verb().name().toLowerCase(Locale.ROOT);
        }

        @Override
        public String what() {
            return "Queue '" + queue + "', group '" + id + "', " + verb();
        }

        @Override
        public GroupResult deferred(Instant now) {
            return GroupResult.DEFERRED;
        }
    }

    /** Gives a waiting task another payload. */
    record Update(String queue, String id, NewPayload payload, int replicas) implements TaskChange<UpdateOutcome> {

        @Override
        public String verb() {
            return "update";
        }

        @Override
        public UpdateOutcome deferred(Instant now) {
            return UpdateOutcome.DEFERRED;
        }

        /** Without the payload. */
        @Override
        public String toString() {
            return "Update[queue=" + queue + ", id=" + id + "]";
        }
    }
}
