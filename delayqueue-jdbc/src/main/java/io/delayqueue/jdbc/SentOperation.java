// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.CancelOutcome;
import io.delayqueue.GroupResult;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.UpdateOutcome;

/**
 * A call made within a transaction that was executed after the commit.
 *
 * @param queue queue of the task
 * @param id id of the task, or {@link TaskIds#groupPrefix} for a change of a group
 * @param outcome a {@link ScheduleResult}, {@link CancelOutcome}, {@link RescheduleOutcome}, {@link UpdateOutcome} or
 *     {@link GroupResult}, as the call outside a transaction would have returned
 */
public record SentOperation(String queue, String id, Object outcome) {}
