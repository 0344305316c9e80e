// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.CancelOutcome;
import io.delayqueue.GroupResult;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.UpdateOutcome;

/**
 * A call that was made within a transaction and executed after the commit.
 *
 * @param queue queue of the task
 * @param id id of the task, or {@link TaskIds#groupPrefix} for a change of a group
 * @param outcome a {@link ScheduleResult}, {@link CancelOutcome}, {@link RescheduleOutcome}, {@link UpdateOutcome} or
 *     {@link GroupResult}, as the call would have returned outside a transaction
 */
public record SentOperation(String queue, String id, Object outcome) {}
