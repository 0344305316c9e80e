// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.NewTask;

/**
 * A checked and encoded call that changes a task, to be made later. Immutable, and nothing of it can be refused for its form.
 *
 * @param <O> what the call answers when it is made
 */
public sealed interface TaskChange<O> {

    String queue();

    /** The task's. */
    String id();

    /** That are to have the change before the call is answered; 0 for none. */
    int replicas();

    /** What it does, in one word for messages. */
    String verb();

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

        @Override
        public String verb() {
            return "schedule";
        }
    }

    /** Deletes a live task. */
    record Cancel(String queue, String id, int replicas) implements TaskChange<CancelOutcome> {

        @Override
        public String verb() {
            return "cancel";
        }
    }

    /** Gives a live task another due time; a relative one is counted from when this is carried out. */
    record Reschedule(String queue, String id, DueTime due, int replicas) implements TaskChange<RescheduleOutcome> {

        @Override
        public String verb() {
            return "reschedule";
        }
    }

    /** Gives a waiting task another payload. */
    record Update(String queue, String id, NewPayload payload, int replicas) implements TaskChange<UpdateOutcome> {

        @Override
        public String verb() {
            return "update";
        }

        /** Without the payload. */
        @Override
        public String toString() {
            return "Update[queue=" + queue + ", id=" + id + "]";
        }
    }
}
