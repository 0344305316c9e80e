// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * One line of the report on a {@link DelayQueueOperations#scheduleAll}: either a result or the error that this task
 * met; after a {@link TaskNotReplicatedException} both, as the task is in the queue all the same.
 *
 * @param id the task's id
 * @param result what happened, or null when the task may not have been scheduled
 * @param error why it may not have been, or why it may be lost in a failover; null when all is as asked
 */
public record TaskOutcome(
        String id,
        @Nullable ScheduleResult result,
        @Nullable DelayQueueException error) {

    /**
     * Whether the task is in the queue for certain, though maybe not on as many replicas as were asked for; not while it is
     * {@link ScheduleOutcome#DEFERRED}.
     */
    public boolean isStored() {
        return result != null && result.outcome() != ScheduleOutcome.DEFERRED;
    }

    /**
     * Whether nothing is left to do: the task is in the queue, on as many replicas as were asked for, or is scheduled with the
     * commit of the transaction.
     */
    public boolean isAsAsked() {
        return error == null;
    }
}
