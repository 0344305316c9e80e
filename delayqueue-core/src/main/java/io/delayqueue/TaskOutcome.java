// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * One line of the report on a {@link DelayQueueOperations#scheduleAll}: either a result or the error that this task met.
 *
 * @param id the task's id
 * @param result what happened, or null when {@code error} is set
 * @param error why the task may not have been scheduled, or null when {@code result} is set
 */
public record TaskOutcome(
        String id,
        @Nullable ScheduleResult result,
        @Nullable DelayQueueException error) {

    /**
     * Whether the task is in the queue for certain, on as many replicas as were asked for. After a
     * {@link TaskNotReplicatedException} it is there, but may be lost in a failover.
     */
    public boolean isStored() {
        return result != null;
    }
}
