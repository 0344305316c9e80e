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
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.TaskUpdate;
import java.time.Instant;
import java.util.Locale;

/**
 * A validated and encoded change of a task, which is never rejected as invalid later. Immutable.
 *
 * @param <O> result of the call
 */
public sealed interface TaskChange<O> {

    String queue();

    /** Returns the task's id, or the id prefix of a group. */
    String id();

    /** Returns the number of replicas that must confirm the change before the call returns; 0 for none. */
    int replicas();

    /** Returns the operation as a word for messages. */
    String verb();

    /**
     * Returns the result that the caller gets while the call waits for the commit of a transaction.
     *
     * @param now the time, by the clock of the queues
     */
    O deferred(Instant now);

    /** Returns the queue, the verb and the id, to start a message with. */
    default String what() {
        return "Queue '" + queue() + "', " + verb() + " '" + id() + "'";
    }

    /** Stores a task. A relative due time starts when this runs. */
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
         * Returns the result for the caller when the task is stored.
         *
         * @throws TaskNotReplicatedException if fewer replicas than required confirmed the task
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

    /** Deletes a live or dead task. */
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

    /** Changes the due time of a live task. A relative due time starts when this runs. */
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
     * Changes all live tasks of a group; a cancel also discards its dead tasks.
     *
     * @param id the prefix of all ids of the group, which is not the id of any task
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

    /** Changes the payload or headers of a waiting task. */
    record Update(String queue, String id, TaskUpdate update, int replicas) implements TaskChange<UpdateOutcome> {

        @Override
        public String verb() {
            return "update";
        }

        @Override
        public UpdateOutcome deferred(Instant now) {
            return UpdateOutcome.DEFERRED;
        }

        /** Omits the payload and the headers. */
        @Override
        public String toString() {
            return "Update[queue=" + queue + ", id=" + id + "]";
        }
    }
}
